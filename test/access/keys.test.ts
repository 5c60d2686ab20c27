import {
  ForbiddenError,
  KeysFullError,
  UnauthorizedError,
  UnknownKeyError,
} from '../../src/errors/access-errors.js';
import { messageOf } from '../../src/errors/flowgate-error.js';
import { InvalidRequestError } from '../../src/errors/request-errors.js';
import { BusyError, ConfigError } from '../../src/errors/service-errors.js';
import { AccessWorld, BOOTSTRAP_KEY, DAY_MS, endOf, MINUTE_MS } from './support/world.js';

let world: AccessWorld;
beforeEach(() => {
  world = new AccessWorld();
});
afterEach(() => endOf(world));

const VIEWER_IN_TEAM = [{ namespace: 'team', roles: ['viewer'] }];
const OPERATOR_IN_TEAM = [{ namespace: 'team', roles: ['operator'], workflows: ['order-*'] }];

describe('the bootstrap key', () => {
  test('makes the first key, and is of no use once a key manages keys everywhere', async () => {
    const access = await world.open({});
    const { principal, secret } = await world.admin(access);
    expect(principal).toMatchObject({
      owner: 'root',
      auth: 'key',
      grants: [{ namespace: '*', roles: ['admin'] }],
    });
    expect(secret).toMatch(/^fgk_[a-z2-7]{16}_[\w-]{43}$/);
    expect(await world.ask(access, BOOTSTRAP_KEY)).toBeInstanceOf(UnauthorizedError);
  });

  test('is of use again once no key that manages keys lives', async () => {
    const access = await world.open({});
    await world.admin(access);
    await world.clock.advance(365 * DAY_MS);
    expect(await world.ask(access, BOOTSTRAP_KEY)).toMatchObject({ owner: 'bootstrap', grants: [] });
  });

  test('is of use where whoever manages keys everywhere does so for some workflows alone', async () => {
    const access = await world.open({});
    const by = await world.who(access, BOOTSTRAP_KEY);
    const grants = [{ namespace: '*', roles: ['admin'], workflows: ['invoice-*'] }];
    await world.make(access, by, { owner: 'carl', grants });
    expect((await world.admin(access)).principal).toMatchObject({ owner: 'root' });
  });

  test('may do nothing but make keys', async () => {
    const access = await world.open({});
    const by = await world.who(access, BOOTSTRAP_KEY);
    const { id } = await world.make(access, by, { owner: 'alice', grants: VIEWER_IN_TEAM });
    for (const work of [
      () => access.keys!.list(by, {}),
      () => access.keys!.rotate(by, id, {}),
      () => access.keys!.revoke(by, id),
      () => access.keys!.revokeOwner(by, 'alice'),
    ])
      expect(await world.outcome<unknown>(work)).toBeInstanceOf(ForbiddenError);
  });

  test('is told by itself, not by its name', async () => {
    const access = await world.open({});
    const by = await world.who(access, BOOTSTRAP_KEY);
    const request = { owner: 'mallory', grants: VIEWER_IN_TEAM };
    expect(await world.outcome(() => access.keys!.make({ ...by }, request))).toBeInstanceOf(ForbiddenError);
  });

  test('makes no second manager in a race with the first', async () => {
    const access = await world.open({});
    const by = await world.who(access, BOOTSTRAP_KEY);
    const request = { owner: 'root', grants: [{ namespace: '*', roles: ['admin'] }] };
    await world.make(access, by, request);
    expect(await world.outcome(() => access.keys!.make(by, request))).toBeInstanceOf(UnauthorizedError);
  });

  test('is refused where it is too short for its hash to hide it', async () => {
    const access = await world.open({
      keys: { bootstrapKeySha256: '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8' },
    });
    const found = await world.ask(access, 'password');
    expect(found).toBeInstanceOf(UnauthorizedError);
  });
});

describe('a start', () => {
  test('ends where nobody could ever get in', async () => {
    await expect(world.open({ keys: { bootstrapKeySha256: null } })).rejects.toThrow(ConfigError);
    await expect(world.open({ keys: { bootstrapKeySha256: null } })).rejects.toThrow(
      /FLOWGATE_BOOTSTRAP_KEY_SHA256/,
    );
  });

  test('needs no bootstrap key while a key that manages keys lives', async () => {
    await world.admin(await world.open({}));
    await expect(world.open({ keys: { bootstrapKeySha256: null } })).resolves.toBeDefined();
  });

  test('ends for a bootstrap hash that is none, without repeating what may be the key itself', async () => {
    const opening = world.open({ keys: { bootstrapKeySha256: BOOTSTRAP_KEY } });
    const error = await world.outcome(() => opening);
    expect(error).toBeInstanceOf(ConfigError);
  });
});

describe('credentials', () => {
  test.each([
    ['none', undefined],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['no text', 'Bearer '],
    ['two texts', 'Bearer one two'],
    ['text that is not ASCII', 'Bearer fgk_ä'],
    ['more than 8 KiB', `Bearer ${'a'.repeat(8 * 1024 + 1)}`],
    ['a header of a megabyte', `Bearer ${'a'.repeat(1024 * 1024)}`],
    ['a key that is cut', `Bearer fgk_${'a'.repeat(16)}_${'a'.repeat(42)}`],
    ['a key of other letters', `Bearer fgk_${'A'.repeat(16)}_${'a'.repeat(43)}`],
    ['a key that does not exist', `Bearer fgk_${'a'.repeat(16)}_${'a'.repeat(43)}`],
    ['a token where none are taken', 'Bearer a.b.c'],
  ])('of %s are refused, with one text', async (_, authorization) => {
    const access = await world.open({});
    const found = await world.outcome(async () =>
      access.authenticator.authenticate({ authorization, address: '192.0.2.1' }),
    );
    expect(found).toBeInstanceOf(UnauthorizedError);
    expect(messageOf(found, 'http')).toBe(
      'This needs a valid key or token: send Authorization: Bearer <key or token>',
    );
  });

  test('with the id of a key and another secret are refused', async () => {
    const access = await world.open({});
    const { secret } = await world.admin(access);
    const other = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
    expect(await world.ask(access, other)).toBeInstanceOf(UnauthorizedError);
  });

  test('that are false, however many, keep those who come from elsewhere waiting for a round at most', async () => {
    const access = await world.open({});
    const { secret } = await world.admin(access);
    await world.clock.advance(MINUTE_MS);
    const flood = Array.from({ length: 400 }, () =>
      world.ask(access, `fgk_${'b'.repeat(16)}_${'a'.repeat(43)}`, '198.51.100.1'),
    );
    expect(await world.ask(access, secret)).toMatchObject({ owner: 'root' });
    const refused = await Promise.all(flood);
    expect(refused.filter((each) => each instanceof BusyError)).toHaveLength(400 - 16 - 256 + 1);
  });

  test('that were found out a moment before are answered without a promise', async () => {
    const access = await world.open({});
    const { secret, principal } = await world.admin(access);
    const reads = world.store.reads;
    expect(access.authenticator.authenticate({ authorization: `bearer ${secret}`, address: '' })).toBe(
      principal,
    );
    expect(world.store.reads).toBe(reads);
  });
});

describe('a new key', () => {
  test('has by default what its maker has, and ends with it', async () => {
    const access = await world.open({});
    const { principal: admin } = await world.admin(access);
    const alice = await world.make(access, admin, {
      owner: 'alice',
      groups: ['ops'],
      grants: OPERATOR_IN_TEAM,
    });
    const by = await world.who(access, alice.secret);
    const made = await world.make(access, by, { name: 'of the night job' });
    expect(await world.who(access, made.secret)).toEqual({
      id: made.id,
      owner: 'alice',
      name: 'of the night job',
      groups: ['ops'],
      grants: OPERATOR_IN_TEAM,
      auth: 'key',
      expiresAt: by.expiresAt,
    });
    await access.keys!.revoke(admin, alice.id);
    expect(await world.ask(access, made.secret)).toBeInstanceOf(UnauthorizedError);
  });

  test.each([
    ['another namespace', [{ namespace: 'other', roles: ['viewer'] }]],
    ['all namespaces', [{ namespace: '*', roles: ['viewer'] }]],
    ['another permission', [{ namespace: 'team', roles: ['author'], workflows: ['order-1'] }]],
    ['all workflows', [{ namespace: 'team', roles: ['operator'] }]],
    ['more workflows', [{ namespace: 'team', roles: ['operator'], workflows: ['order*'] }]],
    ['other workflows', [{ namespace: 'team', roles: ['operator'], workflows: ['order-1', 'invoice-1'] }]],
  ])('with %s than its maker has is forbidden', async (_, grants) => {
    const access = await world.open({});
    const { principal: admin } = await world.admin(access);
    const { secret } = await world.make(access, admin, { owner: 'alice', grants: OPERATOR_IN_TEAM });
    const by = await world.who(access, secret);
    expect(await world.outcome(() => access.keys!.make(by, { grants }))).toBeInstanceOf(ForbiddenError);
  });

  test('may have less: fewer permissions, for fewer workflows', async () => {
    const access = await world.open({});
    const { principal: admin } = await world.admin(access);
    const { secret } = await world.make(access, admin, { owner: 'alice', grants: OPERATOR_IN_TEAM });
    const grants = [{ namespace: 'team', roles: ['viewer'], workflows: ['order-eu-*', 'order-1'] }];
    const made = await world.make(access, await world.who(access, secret), { grants });
    expect((await world.who(access, made.secret)).grants).toEqual(grants);
  });

  test('for somebody else, or with other groups, needs key:manage there', async () => {
    const access = await world.open({});
    const { principal: admin } = await world.admin(access);
    const { secret } = await world.make(access, admin, { owner: 'alice', grants: OPERATOR_IN_TEAM });
    const by = await world.who(access, secret);
    for (const request of [{ owner: 'bob' }, { groups: ['board'] }]) {
      const error = await world.outcome(() => access.keys!.make(by, request));
      expect(error).toMatchObject({ code: 'forbidden', permission: 'key:manage' });
    }
  });

  test('for others, of whoever manages the keys of one namespace, stays in that namespace and stands by itself', async () => {
    const access = await world.open({});
    const { principal: root } = await world.admin(access);
    const lead = await world.make(access, root, {
      owner: 'lead',
      grants: [{ namespace: 'team', roles: ['admin'] }],
    });
    const by = await world.who(access, lead.secret);
    const made = await world.make(access, by, { owner: 'bob', grants: VIEWER_IN_TEAM });
    const request = { owner: 'bob', grants: [{ namespace: 'other', roles: ['viewer'] }] };
    expect(await world.outcome(() => access.keys!.make(by, request))).toBeInstanceOf(ForbiddenError);
    await access.keys!.revoke(root, lead.id);
    expect(await world.who(access, made.secret)).toMatchObject({ owner: 'bob' });
  });

  test('never lives longer than its maker, nor than the most days', async () => {
    const access = await world.open({ keys: { maxKeyDays: 30 } });
    const { principal: admin } = await world.admin(access);
    const now = world.clock.now();
    expect(admin.expiresAt).toBe(now + 30 * DAY_MS);
    const request = { owner: 'alice', grants: VIEWER_IN_TEAM };
    const soon = await world.make(access, admin, { ...request, expiresAt: now + MINUTE_MS });
    const by = await world.who(access, soon.secret);
    for (const [maker, expiresAt] of [
      [admin, now + 30 * DAY_MS + 1],
      [admin, now],
      [admin, 0.5],
      [by, now + MINUTE_MS + 1],
    ] as const) {
      const error = await world.outcome(() => access.keys!.make(maker, { ...request, expiresAt }));
      expect(error).toMatchObject({ code: 'invalid-request', details: [{ path: 'expiresAt' }] });
    }
    await world.clock.advance(MINUTE_MS);
    expect(await world.ask(access, soon.secret)).toMatchObject({ reason: 'the key has expired' });
  });

  test.each([
    ['an owner with a control character', { owner: 'a\u0000b' }, 'owner'],
    ['an owner in another form than NFC', { owner: 'e\u0301' }, 'owner'],
    ['too long an owner', { owner: 'a'.repeat(257) }, 'owner'],
    ['an empty name', { name: '' }, 'name'],
    ['257 groups', { groups: Array.from({ length: 257 }, (_, index) => `g${index}`) }, 'groups'],
    ['no grants', { grants: [] }, 'grants'],
    ['101 grants', { grants: Array.from({ length: 101 }, () => VIEWER_IN_TEAM[0]!) }, 'grants'],
    [
      'a namespace in capitals',
      { grants: [{ namespace: 'TEAM', roles: ['viewer'] }] },
      'grants[0].namespace',
    ],
    ['an unknown role', { grants: [{ namespace: 'team', roles: ['viewr'] }] }, 'grants[0].roles'],
    [
      'a star in the middle',
      { grants: [{ namespace: 'team', roles: ['viewer'], workflows: ['a*b'] }] },
      'grants[0].workflows',
    ],
  ])('with %s is refused', async (_, request, path) => {
    const access = await world.open({});
    const { principal } = await world.admin(access);
    const error = await world.outcome(() => access.keys!.make(principal, request));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect((error as InvalidRequestError).details).toMatchObject([{ path }]);
  });

  test('is one too many beyond 100 of an owner', async () => {
    const access = await world.open({});
    const { principal } = await world.admin(access);
    const request = { owner: 'alice', grants: VIEWER_IN_TEAM };
    for (let count = 0; count < 100; count += 1) await world.make(access, principal, request);
    expect(await world.outcome(() => access.keys!.make(principal, request))).toBeInstanceOf(KeysFullError);
  });

  test('may be made by a key that was made by a key, but not without end', async () => {
    const access = await world.open({});
    const { principal: admin } = await world.admin(access);
    let { secret } = await world.make(access, admin, { owner: 'alice', grants: VIEWER_IN_TEAM });
    for (let count = 1; count < 8; count += 1)
      secret = (await world.make(access, await world.who(access, secret), {})).secret;
    const by = await world.who(access, secret);
    expect(await world.outcome(() => access.keys!.make(by, {}))).toBeInstanceOf(InvalidRequestError);
  });

  test('that was being made while its maker was revoked does not outlive it', async () => {
    const access = await world.open({});
    const { principal: root } = await world.admin(access);
    const second = await world.make(access, root, {
      owner: 'second',
      grants: [{ namespace: '*', roles: ['admin'] }],
    });
    const by = await world.who(access, second.secret);
    world.store.beforePut = () => access.keys!.revoke(root, second.id);
    expect(await world.outcome(() => access.keys!.make(by, { owner: 'mallory' }))).toBeInstanceOf(
      UnauthorizedError,
    );
    const { items } = await access.keys!.list(root, { owner: 'mallory' });
    expect(items).toEqual([]);
  });
});

describe('rotating', () => {
  test('gives a new secret; the old one is good for the overlap, and the expiry stays', async () => {
    const access = await world.open({});
    const { principal, secret, id } = await world.admin(access);
    const rotated = await access.keys!.rotate(principal, id, { overlapMs: MINUTE_MS });
    expect(rotated.key.expiresAt).toBe(principal.expiresAt);
    expect((await world.who(access, rotated.secret)).id).toBe(id);
    expect((await world.who(access, secret)).id).toBe(id);
    await world.clock.advance(MINUTE_MS);
    expect(await world.ask(access, secret)).toMatchObject({ reason: 'the secret was replaced' });
    expect((await world.who(access, rotated.secret)).id).toBe(id);
  });

  test('without an overlap ends the old secret at once', async () => {
    const access = await world.open({});
    const { principal, secret, id } = await world.admin(access);
    await access.keys!.rotate(principal, id, {});
    expect(await world.ask(access, secret)).toBeInstanceOf(UnauthorizedError);
  });

  test.each([-1, 0.5, 7 * DAY_MS + 1])('refuses an overlap of %d ms', async (overlapMs) => {
    const access = await world.open({});
    const { principal, id } = await world.admin(access);
    const error = await world.outcome(() => access.keys!.rotate(principal, id, { overlapMs }));
    expect(error).toBeInstanceOf(InvalidRequestError);
  });

  test('gives nobody a secret who was revoked in that very moment', async () => {
    const access = await world.open({});
    const { principal: root } = await world.admin(access);
    const second = await world.make(access, root, {
      owner: 'second',
      grants: [{ namespace: '*', roles: ['admin'] }],
    });
    const alice = await world.make(access, root, { owner: 'alice', grants: VIEWER_IN_TEAM });
    const by = await world.who(access, second.secret);
    const { rotateKey } = world.store;
    world.store.rotateKey = async (request) => {
      await access.keys!.revoke(root, second.id);
      return rotateKey.call(world.store, request);
    };
    expect(await world.outcome(() => access.keys!.rotate(by, alice.id, {}))).toBeInstanceOf(
      UnauthorizedError,
    );
    expect(world.store.keys.get(alice.id)?.revokedAt).toBe(world.clock.now());
  });

  test('gives nobody a secret that may do more than they', async () => {
    const access = await world.open({});
    const { principal: admin } = await world.admin(access);
    const strong = await world.make(access, admin, { owner: 'alice', grants: OPERATOR_IN_TEAM });
    const weak = await world.make(access, admin, {
      owner: 'alice',
      grants: [{ namespace: 'team', roles: ['viewer'], workflows: ['order-1'] }],
    });
    const by = await world.who(access, weak.secret);
    expect(await world.outcome(() => access.keys!.rotate(by, strong.id, {}))).toBeInstanceOf(ForbiddenError);
    expect(await world.who(access, strong.secret)).toMatchObject({ id: strong.id });
  });
});

describe('what one sees of keys', () => {
  test('is all of 200 keys on one page, of 201 on two', async () => {
    const access = await world.open({});
    const { principal } = await world.admin(access);
    const make = (count: number) =>
      world.make(access, principal, { owner: `user-${count}`, grants: VIEWER_IN_TEAM });
    for (let count = 1; count < 200; count += 1) await make(count);
    const one = await access.keys!.list(principal, { limit: 200 });
    expect([one.items.length, one.next]).toEqual([200, null]);
    await make(200);
    const first = await access.keys!.list(principal, { limit: 200 });
    const second = await access.keys!.list(principal, { limit: 200, cursor: first.next! });
    expect([first.items.length, second.items.length, second.next]).toEqual([200, 1, null]);
  });

  test('is one’s own, newest first, in pages, without anything secret', async () => {
    const access = await world.open({});
    const { principal: admin } = await world.admin(access);
    const made = [];
    for (const owner of ['alice', 'bob', 'alice', 'alice']) {
      await world.clock.advance(1);
      made.push(await world.make(access, admin, { owner, grants: VIEWER_IN_TEAM }));
    }
    const by = await world.who(access, made[0]!.secret);
    const first = await access.keys!.list(by, { limit: 2 });
    const second = await access.keys!.list(by, { limit: 2, cursor: first.next! });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([
      made[3]!.id,
      made[2]!.id,
      made[0]!.id,
    ]);
    expect(second.next).toBeNull();
    const shown = JSON.stringify([first, second]);
    for (const { secret } of made) expect(shown).not.toContain(secret.slice(21));
    for (const { secretHash } of world.store.keys.values()) expect(shown).not.toContain(secretHash);
    expect(await world.outcome(() => access.keys!.list(by, { owner: 'bob' }))).toBeInstanceOf(ForbiddenError);
  });

  test('does not tell another’s key from one that there is not', async () => {
    const access = await world.open({});
    const { principal: admin } = await world.admin(access);
    const alice = await world.make(access, admin, { owner: 'alice', grants: VIEWER_IN_TEAM });
    const bob = await world.make(access, admin, { owner: 'bob', grants: VIEWER_IN_TEAM });
    const by = await world.who(access, alice.secret);
    for (const id of [bob.id, 'a'.repeat(16), 'no-id'])
      for (const work of [() => access.keys!.revoke(by, id), () => access.keys!.rotate(by, id, {})])
        expect(await world.outcome<unknown>(work)).toBeInstanceOf(UnknownKeyError);
    expect(await world.who(access, bob.secret)).toMatchObject({ owner: 'bob' });
  });

  test('is, for whoever sees few of many, pages of these alone, which tell nothing of the others', async () => {
    const access = await world.open({});
    const { principal: root } = await world.admin(access);
    const lead = await world.make(access, root, {
      owner: 'lead',
      grants: [{ namespace: 'team', roles: ['admin'] }],
    });
    const by = await world.who(access, lead.secret);
    const others = [{ namespace: 'other', roles: ['viewer'] }];
    for (let count = 0; count < 1_100; count += 1)
      await world.make(access, root, { owner: `user-${count}`, grants: others });
    await world.clock.advance(1);
    const mine = await world.make(access, root, { owner: 'bob', grants: VIEWER_IN_TEAM });
    const first = await access.keys!.list(by, { limit: 1 });
    const second = await access.keys!.list(by, { limit: 1, cursor: first.next! });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([mine.id, lead.id]);
    // Nor is there another page where only keys of others follow.
    expect(second.next).toBeNull();
    const told = Buffer.from(first.next!, 'base64url').toString();
    const hidden = [...world.store.keys.keys()].filter((id) => id !== mine.id && told.includes(id));
    expect(hidden).toEqual([]);
  });

  test('is, for whoever manages the keys of one namespace, those of that namespace alone', async () => {
    const access = await world.open({});
    const { principal: root } = await world.admin(access);
    const lead = await world.make(access, root, {
      owner: 'lead',
      grants: [{ namespace: 'team', roles: ['admin'] }],
    });
    const mine = await world.make(access, root, { owner: 'bob', grants: VIEWER_IN_TEAM });
    const other = await world.make(access, root, {
      owner: 'bob',
      grants: [{ namespace: 'other', roles: ['viewer'] }],
    });
    const by = await world.who(access, lead.secret);
    const { items } = await access.keys!.list(by, {});
    expect(items.map(({ id }) => id).sort()).toEqual([lead.id, mine.id].sort());
    expect(await world.outcome(() => access.keys!.revoke(by, other.id))).toBeInstanceOf(UnknownKeyError);
    expect((await access.keys!.list(root, {})).items).toHaveLength(4);
    expect(await world.outcome(() => access.keys!.revokeOwner(by, 'bob'))).toBeInstanceOf(ForbiddenError);
  });
});

describe('the last use', () => {
  test('is written at most every five minutes, and by no request', async () => {
    const access = await world.open({});
    const { secret, id } = await world.admin(access);
    await world.clock.advance(2_000);
    expect(world.store.uses).toHaveLength(1);
    for (let minute = 0; minute < 4; minute += 1) {
      await world.who(access, secret);
      await world.clock.advance(MINUTE_MS);
    }
    expect(world.store.uses).toHaveLength(1);
    await world.clock.advance(MINUTE_MS);
    await world.who(access, secret);
    await world.clock.advance(2_000);
    expect(world.store.uses).toHaveLength(2);
    expect(world.store.keys.get(id)?.lastUsedAt).toBe(world.clock.now());
  });

  test('that could not be written is written with the next', async () => {
    const access = await world.open({});
    const { secret, id } = await world.admin(access);
    world.store.reachable = false;
    await world.clock.advance(1_000);
    world.store.reachable = true;
    expect(world.said.some((line) => line.startsWith('The last use of keys could not be written'))).toBe(
      true,
    );
    await world.who(access, secret);
    await world.clock.advance(1_000);
    expect(world.store.uses).toEqual([{ ids: [id], at: world.clock.now() }]);
  });

  test('is written when it is closed', async () => {
    const access = await world.open({});
    const { id } = await world.admin(access);
    await access.authenticator.close();
    expect(world.store.uses).toEqual([{ ids: [id], at: world.clock.now() }]);
  });
});
