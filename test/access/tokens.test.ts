import { jest } from '@jest/globals';
import { SignJWT, UnsecuredJWT } from 'jose';
import { AuthUnavailableError, UnauthorizedError } from '../../src/errors/access-errors.js';
import { BusyError, ConfigError } from '../../src/errors/service-errors.js';
import { until } from '../support/eventually.js';
import { TestIssuer } from './support/issuer.js';
import { AccessWorld, endOf, MINUTE_MS } from './support/world.js';

let world: AccessWorld;
let issuer: TestIssuer;
let file: string;
beforeEach(async () => {
  world = new AccessWorld();
  issuer = await new TestIssuer().start();
  await issuer.addKey('first');
  file = await world.file({
    grants: [
      { to: { owner: 'alice' }, namespace: 'team', roles: ['operator'], workflows: ['order-*'] },
      { to: { group: 'ops' }, namespace: '*', roles: ['viewer'] },
    ],
  });
});
afterEach(async () => {
  await endOf(world);
  await issuer.stop();
  jest.restoreAllMocks();
});

/** Seconds, as tokens have them. */
const now = (): number => Math.floor(world.clock.wallTime() / 1000);
const good = (claims: Record<string, unknown> = {}): Record<string, unknown> => ({
  iat: now(),
  exp: now() + 600,
  ...claims,
});

describe('a token', () => {
  test('has the grants of its owner and groups in the access file', async () => {
    const access = await world.openFor(issuer, file);
    const token = await issuer.token(good({ groups: ['ops', 'unheard-of'], name: 'Alice', jti: 'token-1' }));
    expect(await world.who(access, token)).toEqual({
      id: 'token-1',
      owner: 'alice',
      name: 'Alice',
      groups: ['ops', 'unheard-of'],
      grants: [
        { namespace: 'team', roles: ['operator'], workflows: ['order-*'] },
        { namespace: '*', roles: ['viewer'] },
      ],
      auth: 'jwt',
      expiresAt: (now() + 600) * 1000,
    });
  });

  test('that is granted nothing is of somebody all the same', async () => {
    const access = await world.openFor(issuer, file);
    const found = await world.who(access, await issuer.token(good({ sub: 'nobody' })));
    expect(found).toMatchObject({ owner: 'nobody', grants: [] });
  });

  test.each(['RS256', 'PS256', 'EdDSA'])('may be signed with %s', async (alg) => {
    const key = await issuer.addKey(`of-${alg}`, alg);
    const access = await world.openFor(issuer, file);
    expect(await world.ask(access, await issuer.token(good(), { key }))).toMatchObject({ owner: 'alice' });
  });

  test.each(['at+jwt', 'application/at+jwt', 'jwt', undefined])('may be of the type %s', async (typ) => {
    const access = await world.openFor(issuer, file);
    const token = await issuer.token(good(), { header: { typ } });
    expect(await world.ask(access, token)).toMatchObject({ owner: 'alice' });
  });

  test('may have its audience in a list, and be issued up to 30 s ahead', async () => {
    const access = await world.openFor(issuer, file);
    const token = await issuer.token(
      good({ aud: ['another', 'flowgate'], iat: now() + 30, nbf: now() + 30 }),
    );
    expect(await world.ask(access, token)).toMatchObject({ owner: 'alice' });
  });

  const groups = Array.from({ length: 257 }, (_, index) => String(index));
  test.each([
    ['it has no exp', () => ({ exp: undefined }), 'when it expires'],
    ['its exp is no number', () => ({ exp: 'soon' }), 'when it expires'],
    ['it has no iat', () => ({ iat: undefined }), 'when it was issued'],
    ['it was issued in the future', () => ({ iat: now() + 31 }), 'in the future'],
    ['it is good for more than a day', () => ({ exp: now() + 86_401 }), 'more than 24 hours'],
    ['it has expired', () => ({ iat: now() - 600, exp: now() }), 'expired'],
    ['it is not good yet', () => ({ nbf: now() + 31 }), 'not good yet'],
    ['it has no subject', () => ({ sub: undefined }), 'subject'],
    ['its subject is empty', () => ({ sub: '' }), 'subject'],
    ['its subject is no text', () => ({ sub: 7 }), 'subject'],
    ['its subject is too long', () => ({ sub: 'a'.repeat(257) }), 'subject'],
    ['its subject is not in NFC', () => ({ sub: 'e\u0301' }), 'subject'],
    ['its subject has a control character', () => ({ sub: 'a\u0007' }), 'subject'],
    ['it is of another issuer', () => ({ iss: 'https://issuer.example' }), 'another issuer'],
    ['it is of no issuer', () => ({ iss: undefined }), 'another issuer'],
    ['it is for another audience', () => ({ aud: 'another' }), 'another audience'],
    ['it is for no audience', () => ({ aud: undefined }), 'another audience'],
    ['it needs a proof', () => ({ cnf: { jkt: 'x' } }), 'proof'],
    ['it has more than 256 groups', () => ({ groups }), '256 groups'],
    ['its groups are no list', () => ({ groups: 'ops' }), 'not a list'],
    ['it is over 8 KiB', () => ({ more: 'x'.repeat(8 * 1024) }), '8 KiB'],
  ])('is refused where %s', async (_, claims, reason) => {
    const access = await world.openFor(issuer, file);
    const found = await world.ask(access, await issuer.token(good(claims())));
    expect(found).toBeInstanceOf(UnauthorizedError);
    expect((found as UnauthorizedError).reason).toContain(reason);
  });

  test.each(['dpop+jwt', 'logout+jwt', 7])('is refused where it is of the type %s', async (typ) => {
    const access = await world.openFor(issuer, file);
    const found = await world.ask(access, await issuer.token(good(), { header: { typ } }));
    expect(found).toMatchObject({ reason: 'the token is refused: its type is not at+jwt or JWT' });
  });

  test('is refused where nobody signed it', async () => {
    const access = await world.openFor(issuer, file);
    const claims = { iss: issuer.url, aud: 'flowgate', sub: 'alice', ...good() };
    expect(await world.ask(access, new UnsecuredJWT(claims).encode())).toBeInstanceOf(UnauthorizedError);
  });

  test('is refused where it was signed with the public key as a shared secret', async () => {
    const access = await world.openFor(issuer, file);
    const [key] = issuer.signingKeys;
    const secret = new TextEncoder().encode(JSON.stringify(key!.publicJwk));
    const token = await new SignJWT({ iss: issuer.url, aud: 'flowgate', sub: 'alice', ...good() })
      .setProtectedHeader({ alg: 'HS256', kid: 'first' })
      .sign(secret);
    expect(await world.ask(access, token)).toMatchObject({
      reason: 'the token is refused: its algorithm is not allowed',
    });
  });

  test('is refused where another key signed it under a known id', async () => {
    const access = await world.openFor(issuer, file);
    const key = await new TestIssuer().addKey('first');
    expect(await world.ask(access, await issuer.token(good(), { key }))).toMatchObject({
      reason: 'the token is refused: its signature is wrong',
    });
  });

  test('is refused where its content was changed', async () => {
    const access = await world.openFor(issuer, file);
    const [header, , signature] = (await issuer.token(good())).split('.');
    const [, payload] = (await issuer.token(good({ sub: 'root' }))).split('.');
    expect(await world.ask(access, `${header}.${payload}.${signature}`)).toBeInstanceOf(UnauthorizedError);
  });

  test('is refused where it asks for what nobody here understands', async () => {
    const access = await world.openFor(issuer, file);
    const [, payload, signature] = (await issuer.token(good())).split('.');
    const header = { alg: 'ES256', kid: 'first', crit: ['exp'], exp: 1 };
    const encoded = Buffer.from(JSON.stringify(header)).toString('base64url');
    expect(await world.ask(access, `${encoded}.${payload}.${signature}`)).toBeInstanceOf(UnauthorizedError);
  });

  test.each(['a.b.c', 'no-token', '..', 'e30.e30.', 'a.b.c.d.e'])('is refused as %s', async (text) => {
    const access = await world.openFor(issuer, file);
    expect(await world.ask(access, text)).toBeInstanceOf(UnauthorizedError);
  });

  test('is not good any more when it has expired, also where it was found out before', async () => {
    const access = await world.openFor(issuer, file);
    const token = await issuer.token(good({ exp: now() + 10 }));
    await world.who(access, token);
    await world.clock.advance(10_000);
    expect(await world.ask(access, token)).toBeInstanceOf(UnauthorizedError);
  });

  test('names its owner by a verified email where that is asked for', async () => {
    const access = await world.openFor(issuer, file, { subjectClaim: 'email' });
    const email = 'alice@example.com';
    const verified = await issuer.token(good({ email, email_verified: true }));
    expect(await world.who(access, verified)).toMatchObject({ owner: email });
    for (const email_verified of [false, 'true', undefined]) {
      const token = await issuer.token(good({ email, email_verified }));
      expect(await world.ask(access, token)).toBeInstanceOf(UnauthorizedError);
    }
  });

  test('without the id of a key is refused where it may be signed with several', async () => {
    await issuer.addKey('second');
    const access = await world.openFor(issuer, file);
    const token = await issuer.token(good(), { header: { kid: undefined } });
    expect(await world.ask(access, token)).toBeInstanceOf(UnauthorizedError);
  });
});

describe('revoking an owner', () => {
  test('refuses the tokens that were issued until then, and takes those of later', async () => {
    const access = await world.openFor(issuer, file);
    const { principal: root } = await world.admin(access);
    const before = await issuer.token(good());
    await world.who(access, before);
    await access.keys!.revokeOwner(root, 'alice');
    expect(await world.ask(access, before)).toMatchObject({ reason: 'the tokens of the owner were revoked' });
    expect(await world.ask(access, await issuer.token(good({ sub: 'bob' })))).toMatchObject({ owner: 'bob' });
    await world.clock.advance(31_000);
    expect(await world.ask(access, await issuer.token(good()))).toMatchObject({ owner: 'alice' });
  });

  test('refuses also the token of an issuer whose clock is ahead, which was issued before', async () => {
    const access = await world.openFor(issuer, file);
    const { principal: root } = await world.admin(access);
    const before = await issuer.token(good({ iat: now() + 30 }));
    await world.who(access, before);
    await world.clock.advance(10);
    await access.keys!.revokeOwner(root, 'alice');
    expect(await world.ask(access, before)).toMatchObject({ reason: 'the tokens of the owner were revoked' });
    await world.clock.advance(31_000);
    expect(await world.ask(access, before)).toMatchObject({ reason: 'the tokens of the owner were revoked' });
  });

  test('ends the keys of the owner, and what they made', async () => {
    const access = await world.openFor(issuer, file);
    const { principal: root } = await world.admin(access);
    const alice = await world.who(access, await issuer.token(good()));
    const key = await world.make(access, alice, {});
    const made = await world.make(access, await world.who(access, key.secret), {});
    await access.keys!.revokeOwner(root, 'alice');
    for (const { secret } of [key, made])
      expect(await world.ask(access, secret)).toBeInstanceOf(UnauthorizedError);
  });

  test('lets nobody make a key with a token that another replica has not yet seen revoked', async () => {
    const access = await world.openFor(issuer, file);
    const { principal: root } = await world.admin(access);
    const alice = await world.who(access, await issuer.token(good()));
    await access.keys!.revokeOwner(root, 'alice');
    expect(await world.outcome(() => access.keys!.make(alice, {}))).toBeInstanceOf(UnauthorizedError);
    expect([...world.store.keys.values()].filter(({ owner }) => owner === 'alice')).toEqual([]);
  });
});

describe('a key that a token made', () => {
  test('has no more than the access file gives its owner and groups now', async () => {
    const access = await world.openFor(issuer, file);
    const alice = await world.who(access, await issuer.token(good({ groups: ['ops'] })));
    const { secret } = await world.make(access, alice, {});
    const child = await world.make(access, await world.who(access, secret), {});
    expect((await world.who(access, secret)).grants).toEqual(alice.grants);
    await world.file({
      grants: [{ to: { group: 'ops' }, namespace: 'team', roles: ['viewer', 'approver'] }],
    });
    await world.clock.advance(5_000);
    await world.untilSaid('The access file has changed');
    for (const key of [secret, child.secret])
      expect((await world.who(access, key)).grants).toEqual([{ namespace: 'team', roles: ['viewer'] }]);
    await world.file({ grants: [{ to: { owner: 'bob' }, namespace: 'team', roles: ['admin'] }] });
    await world.clock.advance(5_000);
    await world.untilSaid('The access file has changed', 2);
    expect((await world.who(access, secret)).grants).toEqual([]);
  });

  test('expires no later than the token', async () => {
    const access = await world.openFor(issuer, file);
    const alice = await world.who(access, await issuer.token(good()));
    const { secret } = await world.make(access, alice, {});
    expect((await world.who(access, secret)).expiresAt).toBe(alice.expiresAt);
    const expiresAt = alice.expiresAt! + 1;
    expect(await world.outcome(() => access.keys!.make(alice, { expiresAt }))).toMatchObject({
      details: [{ path: 'expiresAt' }],
    });
  });

  test('is forbidden to whoever is granted nothing', async () => {
    const access = await world.openFor(issuer, file);
    const nobody = await world.who(access, await issuer.token(good({ sub: 'nobody' })));
    expect(await world.outcome(() => access.keys!.make(nobody, {}))).toMatchObject({ code: 'forbidden' });
  });
});

describe('the signing keys', () => {
  test('are read twice at most for 1,000 tokens with unknown keys', async () => {
    const access = await world.openFor(issuer, file);
    const stranger = await new TestIssuer().addKey('x');
    const later = Date.now() + MINUTE_MS;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    const tokens = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        issuer.token(good(), { key: stranger, header: { kid: `unknown-${index}` } }),
      ),
    );
    for (let from = 0; from < tokens.length; from += 100) {
      const found = await Promise.all(
        tokens.slice(from, from + 100).map((token) => world.ask(access, token)),
      );
      for (const each of found) expect(each).toBeInstanceOf(UnauthorizedError);
    }
    expect(issuer.keyReads).toBe(2);
    expect(await world.ask(access, await issuer.token(good()))).toMatchObject({ owner: 'alice' });
  });

  test('are read again for a key that is not known, once they have not been for 30 s', async () => {
    const access = await world.openFor(issuer, file);
    const key = await issuer.addKey('second');
    const token = await issuer.token(good(), { key });
    expect(await world.ask(access, token)).toBeInstanceOf(UnauthorizedError);
    const later = Date.now() + 30_001;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    expect(await world.ask(access, token)).toMatchObject({ owner: 'alice' });
  });

  test('are read again every ten minutes, so that one that was taken away is not good any more', async () => {
    const access = await world.openFor(issuer, file);
    const token = await issuer.token(good({ exp: now() + 3_600 }));
    await world.who(access, token);
    issuer.signingKeys.length = 0;
    await issuer.addKey('second');
    const read = issuer.keyReads;
    await world.clock.advance(10 * MINUTE_MS);
    await untilRead(read + 1);
    expect(await world.ask(access, token)).toBeInstanceOf(UnauthorizedError);
    const next = await issuer.token(good());
    expect(await world.ask(access, next)).toMatchObject({ owner: 'alice' });
  });

  test('that are known hold while the issuer is down', async () => {
    const access = await world.openFor(issuer, file);
    await issuer.stop();
    expect(await world.ask(access, await issuer.token(good()))).toMatchObject({ owner: 'alice' });
  });

  test('that nobody ever read make it a 503, until the issuer is back', async () => {
    await issuer.stop();
    const access = await world.openFor(issuer, file);
    const token = await issuer.token(good());
    expect(await world.ask(access, token)).toBeInstanceOf(AuthUnavailableError);
    await issuer.start();
    await world.clock.advance(5_000);
    expect(await world.ask(access, token)).toMatchObject({ owner: 'alice' });
  });

  test('that are not known make it a 503 while the issuer is down, which is not asked for each token', async () => {
    const access = await world.openFor(issuer, file);
    const key = await new TestIssuer().addKey('unknown');
    const later = Date.now() + MINUTE_MS;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    issuer.instead = { status: 500, body: '' };
    for (let count = 0; count < 20; count += 1) {
      const token = await issuer.token(good({ jti: String(count) }), { key });
      expect(await world.ask(access, token)).toBeInstanceOf(AuthUnavailableError);
    }
    expect(issuer.keyReads).toBe(2);
  });

  test.each([
    ['redirects', { status: 302, headers: { location: 'https://issuer.example/' }, body: '' }],
    ['is no JSON', { status: 200, body: '<html>' }],
    ['is too large', { status: 200, body: JSON.stringify({ more: 'x'.repeat(600 * 1024) }) }],
    ['says nothing', { status: 200, body: 'null' }],
  ])('are not read where the document %s', async (_, instead) => {
    issuer.instead = instead;
    const access = await world.openFor(issuer, file);
    expect(await world.ask(access, await issuer.token(good()))).toBeInstanceOf(AuthUnavailableError);
  });

  test.each([
    ['is of another issuer', { issuer: 'https://issuer.example' }],
    ['names keys without https', { jwks_uri: 'http://issuer.example/keys' }],
    ['names no keys', { jwks_uri: undefined }],
  ])('are not read where the document %s', async (_, document) => {
    issuer.document = { ...issuer.document, ...document };
    const access = await world.openFor(issuer, file);
    expect(await world.ask(access, await issuer.token(good()))).toBeInstanceOf(AuthUnavailableError);
    expect(issuer.keyReads).toBe(0);
  });
});

describe('checking signatures', () => {
  test('turns away more than may wait, in rounds of the addresses', async () => {
    const access = await world.openFor(issuer, file);
    const key = await new TestIssuer().addKey('first');
    const tokens = await Promise.all(
      Array.from({ length: 400 }, (_, index) => issuer.token(good({ jti: String(index) }), { key })),
    );
    const flood = tokens.map((token) => world.ask(access, token, '198.51.100.1'));
    const other = await world.ask(access, await issuer.token(good()), '192.0.2.7');
    expect(other).toMatchObject({ owner: 'alice' });
    const found = await Promise.all(flood);
    expect(found.filter((each) => each instanceof BusyError).length).toBeGreaterThan(0);
    expect(found.every((each) => each instanceof BusyError || each instanceof UnauthorizedError)).toBe(true);
  });
});

describe('a start', () => {
  test.each([
    ['an issuer without https', { issuer: 'http://issuer.example' }, 'FLOWGATE_OIDC_ISSUER'],
    [
      'an issuer with a password',
      { issuer: 'https://user:secret-word@issuer.example' },
      'FLOWGATE_OIDC_ISSUER',
    ],
    ['no audience', { audience: [] }, 'FLOWGATE_OIDC_AUDIENCE'],
    ['the algorithm none', { algorithms: ['none'] }, 'FLOWGATE_OIDC_ALGORITHMS'],
    ['a shared secret', { algorithms: ['RS256', 'HS256'] }, 'FLOWGATE_OIDC_ALGORITHMS'],
  ])('ends with %s', async (_, options, variable) => {
    const error = await world.outcome(() => world.openFor(issuer, file, options));
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).details).toMatchObject([{ variable }]);
    expect((error as Error).message).not.toContain('secret-word');
  });

  test('ends where the access file grants nobody anything, and there are no keys', async () => {
    const empty = await world.file({ grants: [] }, 'empty.json');
    for (const accessFile of [empty, null])
      await expect(world.open({ keys: null, oidc: { issuer: issuer.url }, accessFile })).rejects.toThrow(
        /FLOWGATE_ACCESS_FILE/,
      );
  });
});

async function untilRead(reads: number): Promise<void> {
  await until(() => issuer.keyReads >= reads, 'the keys were read again');
}
