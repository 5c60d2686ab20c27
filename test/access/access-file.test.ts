import { rm } from 'node:fs/promises';
import type { AssembledAccess } from '../../src/access/assemble-access.js';
import { ConfigError } from '../../src/errors/service-errors.js';
import { TestIssuer } from './support/issuer.js';
import { AccessWorld, endOf } from './support/world.js';

let world: AccessWorld;
let issuer: TestIssuer;
beforeEach(async () => {
  world = new AccessWorld();
  issuer = await new TestIssuer().start();
  await issuer.addKey('first');
});
afterEach(async () => {
  await endOf(world);
  await issuer.stop();
});

const granting = (...roles: string[]) => ({
  roles: { starter: ['run:start', 'run:read'] },
  grants: [{ to: { owner: 'alice' }, namespace: 'team', roles }],
});

async function rolesOfAlice(access: AssembledAccess): Promise<readonly string[]> {
  const seconds = Math.floor(world.clock.wallTime() / 1000);
  const token = await issuer.token({ iat: seconds, exp: seconds + 600 });
  return (await world.who(access, token)).grants.flatMap(({ roles }) => roles);
}

test('holds from the next look on, at most 5 s after it was changed', async () => {
  const access = await world.openFor(issuer, await world.file(granting('viewer')));
  expect(await rolesOfAlice(access)).toEqual(['viewer']);
  await world.file(granting('starter'));
  expect(await rolesOfAlice(access)).toEqual(['viewer']);
  await world.clock.advance(5_000);
  await world.untilSaid('The access file has changed');
  expect(await rolesOfAlice(access)).toEqual(['starter']);
  expect(access.roles().get('starter')).toEqual(['run:start', 'run:read']);
  expect(access.roles().get('admin')).toContain('key:manage');
});

test('that is wrong later leaves what it said before, which is said once, and in health', async () => {
  const path = await world.file(granting('viewer'));
  const access = await world.openFor(issuer, path);
  expect(access.accessFileFault()).toBeNull();
  await world.file(granting('admiral'));
  await world.clock.advance(5_000);
  await world.untilSaid('The access file cannot be used');
  await world.clock.advance(5_000);
  expect(access.accessFileFault()).toMatch(/grants, number 1: roles must be/);
  expect(await rolesOfAlice(access)).toEqual(['viewer']);
  expect(world.said.filter((line) => line.startsWith('The access file cannot be used'))).toHaveLength(1);
  await world.file(granting('viewer'));
  await world.clock.advance(5_000);
  await world.untilSaid('The access file can be used again');
  expect(access.accessFileFault()).toBeNull();
});

test('that is gone later leaves what it said before', async () => {
  const path = await world.file(granting('viewer'));
  const access = await world.openFor(issuer, path);
  await rm(path);
  await world.clock.advance(5_000);
  await world.untilSaid('The access file cannot be used');
  expect(access.accessFileFault()).toContain('ENOENT');
  expect(access.accessFileFault()).not.toContain(path);
  expect(await rolesOfAlice(access)).toEqual(['viewer']);
});

test('that is wrong at the start ends it', async () => {
  const path = await world.file({
    grants: [{ to: { owner: 'alice' }, namespace: 'team', roles: ['viewr'] }],
  });
  const error = await world.outcome(() => world.openFor(issuer, path));
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).details).toMatchObject([{ variable: 'FLOWGATE_ACCESS_FILE' }]);
});

test('that is not there at the start, is a folder or is too large ends it', async () => {
  const path = await world.file(' '.repeat(1024 * 1024 + 1));
  for (const file of [`${path}.missing`, path.replace(/\/[^/]*$/, ''), path]) {
    const error = await world.outcome(() => world.openFor(issuer, file));
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toContain('cannot be read');
  }
});

test('is told of once for each content that holds, also by another start, and not for one that is wrong', async () => {
  const path = await world.file(granting('viewer'));
  const told = async (): Promise<readonly (string | null)[]> =>
    (await world.audit.readAfter({ afterId: 0, limit: 10 })).map(
      ({ action, target }) => `${action} ${target}`,
    );
  await world.openFor(issuer, path);
  await world.openFor(issuer, path);
  await world.clock.advance(5_000);
  expect(await told()).toEqual([expect.stringMatching(/^access-file.change [0-9a-f]{64}$/)]);
  await world.file(granting('admiral'));
  await world.clock.advance(5_000);
  await world.untilSaid('The access file cannot be used', 2);
  expect(await told()).toHaveLength(1);
  await world.file(granting('starter'));
  await world.clock.advance(5_000);
  await world.untilSaid('The access file can be used again', 2);
  expect(await told()).toHaveLength(2);
});

test('does not hold as long as it cannot be recorded that it changed', async () => {
  const access = await world.openFor(issuer, await world.file(granting('viewer')));
  const record = world.audit.record.bind(world.audit);
  world.audit.record = () => Promise.reject(new Error('the disk is full'));
  await world.file(granting('starter'));
  await world.clock.advance(5_000);
  await world.untilSaid('The access file cannot be used');
  expect(await rolesOfAlice(access)).toEqual(['viewer']);
  world.audit.record = record;
  await world.clock.advance(5_000);
  await world.untilSaid('The access file can be used again');
  expect(await rolesOfAlice(access)).toEqual(['starter']);
});
