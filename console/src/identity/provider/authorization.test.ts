import { answerIn, authorizationUrl, type BegunSignIn, type Provider } from './authorization.js';

const PROVIDER: Provider = {
  issuer: 'https://login.example.com/realms/acme',
  clientId: 'console',
  scopes: ['openid', 'api://a/.default'],
  endpoints: {
    authorization: 'https://login.example.com/authorize?tenant=acme',
    token: 'https://login.example.com/token',
    namesIssuer: false,
  },
};
const NAMES_ITSELF: Provider = { ...PROVIDER, endpoints: { ...PROVIDER.endpoints, namesIssuer: true } };
const BEGUN: BegunSignIn = {
  issuer: PROVIDER.issuer,
  state: 'the-state',
  verifier: 'the-verifier',
  redirectUri: 'https://flow.example.com/console/signed-in',
  from: { screen: 'runs', query: { status: 'failed' } },
};
const answer = (query: string, begun: BegunSignIn | null = BEGUN, provider = PROVIDER) =>
  answerIn(new URLSearchParams(query), begun, provider);

it('a person is sent to the provider with a challenge, a state and the way back, beside what its address has', () => {
  const { redirectUri } = BEGUN;
  const url = new URL(authorizationUrl(PROVIDER, { state: 's', challenge: 'c', redirectUri }));
  expect(url.origin + url.pathname).toBe('https://login.example.com/authorize');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    tenant: 'acme',
    response_type: 'code',
    client_id: 'console',
    redirect_uri: redirectUri,
    scope: 'openid api://a/.default',
    state: 's',
    code_challenge: 'c',
    code_challenge_method: 'S256',
  });
});

describe('the answer of the provider', () => {
  it.each([
    ['as it was asked for', 'code=a%2Bb&state=the-state', PROVIDER],
    ['with what more it says', `code=a%2Bb&state=the-state&session_state=x`, PROVIDER],
    ['with its name', `code=a%2Bb&state=the-state&iss=${PROVIDER.issuer}`, PROVIDER],
    ['with its name, as it announces', `code=a%2Bb&state=the-state&iss=${PROVIDER.issuer}`, NAMES_ITSELF],
  ])('is taken: %s', (_how, query, provider) => {
    expect(answer(query, BEGUN, provider)).toEqual({ ok: true, code: 'a+b' });
  });

  it.each([
    [
      'a sign-in that this tab did not begin, or did once',
      'code=a&state=the-state',
      null,
      PROVIDER,
      'not begun',
    ],
    ['a state of somebody else', 'code=a&state=another', BEGUN, PROVIDER, 'its state is another one'],
    ['no state', 'code=a', BEGUN, PROVIDER, 'its state is another one'],
    ['two states', 'code=a&state=the-state&state=x', BEGUN, PROVIDER, 'its state is another one'],
    [
      'the name of another',
      'code=a&state=the-state&iss=https://evil',
      BEGUN,
      PROVIDER,
      'is not one of https',
    ],
    ['two names', 'code=a&state=the-state&iss=a&iss=b', BEGUN, NAMES_ITSELF, 'is not one of https'],
    [
      'no name, though it announces one',
      'code=a&state=the-state',
      BEGUN,
      NAMES_ITSELF,
      'is not one of https',
    ],
    ['no code', 'state=the-state', BEGUN, PROVIDER, 'without a code'],
    ['two codes', 'state=the-state&code=a&code=b', BEGUN, PROVIDER, 'without a code'],
    ['an endless code', `state=the-state&code=${'a'.repeat(9_000)}`, BEGUN, PROVIDER, 'without a code'],
  ] as const)('with %s is not used', (_what, query, begun, provider, said) => {
    expect(answer(query, begun, provider)).toEqual({ ok: false, fault: expect.stringContaining(said) });
  });

  it('is not used once the service trusts another provider', () => {
    const other = { ...BEGUN, issuer: 'https://old.example.com' };
    expect(answer('code=a&state=the-state', other).ok).toBe(false);
  });

  it('that it let nobody in is a sentence, with what it says, and no longer than one reads', () => {
    const query = (error: string, said = ''): string =>
      `state=the-state&error=${error}&error_description=${encodeURIComponent(said)}`;
    expect(answer(query('access_denied', 'Not today.'))).toEqual({
      ok: false,
      fault: 'The provider did not let you in, or you said no (access_denied). It says: Not today.',
    });
    const { fault } = answer(query('x'.repeat(5_000), 'y'.repeat(5_000))) as { readonly fault: string };
    expect(fault).toContain('xxx');
    expect(fault.length).toBeLessThan(700);
  });

  it('that somebody was refused counts only with the right state', () => {
    expect(answer('error=access_denied&state=another')).toMatchObject({
      fault: expect.stringContaining('its state is another one'),
    });
  });
});
