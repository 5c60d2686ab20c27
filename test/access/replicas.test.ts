import { AuthUnavailableError, UnauthorizedError } from '../../src/errors/access-errors.js';
import { BOOTSTRAP_KEY, AccessWorld, endOf, MINUTE_MS } from './support/world.js';

let world: AccessWorld;
beforeEach(() => {
  world = new AccessWorld();
});
afterEach(() => endOf(world));

test('what is revoked at one replica is refused at the other within 5 s, 200 times', async () => {
  const one = await world.open({});
  const other = await world.open({});
  const { principal: root } = await world.admin(one);
  for (let time = 0; time < 200; time += 1) {
    const { secret, id } = await world.make(one, root, {
      owner: `user-${time}`,
      grants: [{ namespace: 'team', roles: ['viewer'] }],
    });
    expect(await world.ask(other, secret)).toMatchObject({ id });
    // Somewhere between two looks, which are 2 s apart.
    await world.clock.advance((time * 37) % 2_000);
    await one.keys!.revoke(root, id);
    expect(await world.ask(one, secret)).toBeInstanceOf(UnauthorizedError);
    await world.clock.advance(5_000);
    expect(await world.ask(other, secret)).toBeInstanceOf(UnauthorizedError);
  }
});

test('a store that tells of changes has them hold at once', async () => {
  const one = await world.open({});
  const other = await world.open({});
  const { principal: root } = await world.admin(one);
  const { secret, id } = await world.make(one, root, { owner: 'alice' });
  expect(await world.ask(other, secret)).toMatchObject({ id });
  await one.keys!.revoke(root, id);
  for (const tell of world.store.watchers) tell();
  expect(await world.ask(other, secret)).toBeInstanceOf(UnauthorizedError);
});

test('what is read from the store is not kept where something changed in the meantime', async () => {
  const one = await world.open({});
  const other = await world.open({});
  const { principal: root } = await world.admin(one);
  const { secret, id } = await world.make(one, root, { owner: 'alice' });
  const { findKey } = world.store;
  const asRead = Promise.withResolvers<void>();
  const change = Promise.withResolvers<void>();
  world.store.findKey = async (request) => {
    const found = await findKey.call(world.store, request);
    asRead.resolve();
    await change.promise;
    return found;
  };
  const asked = world.ask(other, secret);
  await asRead.promise;
  world.store.findKey = findKey;
  await one.keys!.revoke(root, id);
  for (const tell of world.store.watchers) tell();
  change.resolve();
  // It was good when it was read.
  expect(await asked).toMatchObject({ id });
  expect(await world.ask(other, secret)).toBeInstanceOf(UnauthorizedError);
});

describe('a store that cannot be reached', () => {
  test('is relied on for 5 s, and is never a yes after that', async () => {
    const access = await world.open({});
    const { secret } = await world.admin(access);
    world.store.reachable = false;
    expect(await world.ask(access, secret)).toMatchObject({ owner: 'root' });
    await world.clock.advance(4_999);
    expect(await world.ask(access, secret)).toMatchObject({ owner: 'root' });
    await world.clock.advance(1);
    expect(await world.ask(access, secret)).toBeInstanceOf(AuthUnavailableError);
    world.store.reachable = true;
    expect(await world.ask(access, secret)).toMatchObject({ owner: 'root' });
  });

  test('is a 503 for what is not remembered, and for the bootstrap key', async () => {
    const access = await world.open({});
    const { secret, principal } = await world.admin(access);
    const made = await world.make(access, principal, { owner: 'alice' });
    world.store.reachable = false;
    for (const key of [made.secret, secret, BOOTSTRAP_KEY])
      expect(await world.ask(access, key)).toBeInstanceOf(AuthUnavailableError);
  });

  test('that does not answer at all is not waited for', async () => {
    const access = await world.open({});
    const { secret } = await world.admin(access);
    world.store.accessCounter = () => new Promise(() => undefined);
    await world.clock.advance(6_000);
    const asked = world.ask(access, secret);
    await world.clock.advance(5_000);
    expect(await asked).toBeInstanceOf(AuthUnavailableError);
  });

  test('is said once, and so is that it is back', async () => {
    const access = await world.open({});
    await world.admin(access);
    const lines = (): string[] => world.said.filter((line) => line.startsWith('The store of keys can'));
    world.store.reachable = false;
    for (let look = 0; look < 5; look += 1) await world.clock.advance(2_000);
    expect(lines()).toHaveLength(1);
    world.store.reachable = true;
    await world.clock.advance(2_000);
    expect(lines()).toEqual([
      expect.stringContaining('503'),
      'The store of keys can be read again undefined',
    ]);
  });
});

test('what was found out is looked up anew after a minute', async () => {
  const access = await world.open({});
  const { secret, principal } = await world.admin(access);
  await world.clock.advance(MINUTE_MS);
  const again = await world.who(access, secret);
  expect(again).toEqual(principal);
  expect(again).not.toBe(principal);
});

test('what is closed answers nobody', async () => {
  const access = await world.open({});
  const { secret } = await world.admin(access);
  await access.authenticator.close();
  expect(await world.ask(access, secret)).toBeInstanceOf(AuthUnavailableError);
});
