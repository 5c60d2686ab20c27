import { challengeOf, newProofKey, randomText } from './pkce.js';

describe('the proof of a sign-in', () => {
  it('is the one of RFC 7636, appendix B', async () => {
    expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });

  it('is another one each time, of letters that an address carries as they are, as long as it has to be', async () => {
    const keys = await Promise.all(Array.from({ length: 100 }, newProofKey));
    expect(new Set(keys.map(({ verifier }) => verifier)).size).toBe(100);
    for (const { verifier, challenge } of keys)
      for (const text of [verifier, challenge, randomText()]) expect(text).toMatch(/^[\w-]{43}$/);
  });
});
