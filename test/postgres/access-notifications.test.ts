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
