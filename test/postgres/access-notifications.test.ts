import { accessOf } from '../../src/engine/ports/access/access-of.js';
import { put, sampleKey } from '../../src/engine/testing/contract/access-store/support/sample-key.js';
import { createEngine, type Engine } from '../../src/engine/index.js';
import type { PostgresParts } from '../../src/postgres.js';
import { until } from '../support/eventually.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';

let database: StartedDatabase;
const engines: Engine[] = [];

async function replica(): Promise<PostgresParts> {
  const parts = database.replica();
  const engine = createEngine(parts);
  engines.push(engine);
  await engine.open();
  return parts;
}

beforeEach(async () => {
  database = await startedDatabase();
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  await database.dispose();
});

it('a replica is notified of what another one changed, and finds it; whoever ended watching is not', async () => {
  const [one, other] = [await replica(), await replica()];
  let [calls, ended] = [0, 0];
  const there = accessOf(other.store);
  there.watchAccess(() => (calls += 1));
  there.watchAccess(() => (ended += 1))();
  const before = await there.accessCounter();
  await put(accessOf(one.store), sampleKey('a'));
  await until(() => calls > 0, 'the other replica is notified');
  expect(ended).toBe(0);
  await expect(there.accessCounter()).resolves.toBe(before + 1);
  await expect(there.findKey({ id: 'a' })).resolves.toEqual(sampleKey('a'));
});

it('a replica hears which access file holds at another one, and not what it told itself', async () => {
  const [one, other] = [await replica(), await replica()];
  const heard: (readonly [string, string])[] = [];
  const own: string[] = [];
  accessOf(other.store).peers?.hear((peer, hash) => heard.push([peer, hash]));
  accessOf(one.store).peers?.hear((_peer, hash) => own.push(hash));
  const hash = 'ab'.repeat(32);
  accessOf(one.store).peers?.tell(hash);
  accessOf(one.store).peers?.tell('none');
  await until(() => heard.length === 2, 'the other replica hears both');
  expect(heard.map(([, told]) => told)).toEqual([hash, 'none']);
  expect(new Set(heard.map(([peer]) => peer)).size).toBe(1);
  accessOf(other.store).peers?.tell('none');
  await until(() => own.length === 1, 'and is heard itself');
});
