import { createEngine, type Engine, type Policy } from '../../src/engine/index.js';
import { inSequence } from '../support/engine.js';
import { until } from '../support/eventually.js';
import { counted } from './support/counts.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';
import { startProxy, type Proxy } from './support/proxy.js';
import { sharedServer } from './support/server.js';

const RUNS = counted(60);
/** Nobody listens there. */
const NOWHERE = 9;
const POLICY: Policy = { check: () => true, scope: () => 'all' };
const YAML = inSequence('w', [{ id: 'set', uses: 'builtin.set', config: { values: { a: 1 } } }]);

interface Replica {
  readonly engine: Engine;
  readonly proxy: Proxy;
}

let database: StartedDatabase;
const replicas: Replica[] = [];
beforeEach(async () => {
  database = await startedDatabase();
});
afterEach(async () => {
  for (const { engine, proxy } of replicas.splice(0)) {
    // One whose way was cut cannot say goodbye.
    await engine.close().catch(() => undefined);
    await proxy.close();
  }
  await database.dispose();
});

async function join(): Promise<Replica> {
  const proxy = await startProxy(sharedServer().port);
  const parts = database.replica({ url: proxy.through(database.url) });
  const engine = createEngine({ ...parts, policy: POLICY, audit: true, shutdownGraceMs: 1_000 });
  const replica = { engine, proxy };
  replicas.push(replica);
  await engine.open();
  return replica;
}

const actingOn = ({ engine }: Replica, owner: string) =>
  engine.as(
    { id: `key-of-${owner}`, owner, groups: [], grants: [], auth: 'key', expiresAt: null },
    { namespace: 'acme', via: 'http' },
  );

async function startRuns(replica: Replica, owner: string): Promise<readonly string[]> {
  const { runs } = actingOn(replica, owner);
  const started: string[] = [];
  for (let count = 0; count < RUNS; count += 1)
    started.push((await runs.start({ workflowId: 'w', sync: true })).runId);
  return started;
}

it('tells once of what was done at any of three replicas, though the one that tells of it is cut off', async () => {
  const [first, second, third] = [await join(), await join(), await join()];
  await actingOn(first, 'ada').workflows.register({ yaml: YAML });
  const before = await Promise.all([
    startRuns(first, 'ann'),
    startRuns(second, 'bob'),
    startRuns(third, 'carol'),
  ]);
  // Whichever of them follows: it loses the role in the middle of its work, and another one takes it.
  const meanwhile = Promise.all([startRuns(second, 'dora'), startRuns(third, 'eve')]);
  first.proxy.leadTo(NOWHERE);
  first.proxy.cut();
  const after = await meanwhile;
  const expected = [...before, ...after].flat().sort();
  const told = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const items of actingOn(second, 'aud').audit.each({ action: 'run.start', limit: 200 }))
      found.push(...items.map(({ runId }) => runId ?? ''));
    return found.sort();
  };
  await until(async () => (await told()).length >= expected.length, 'all of it is told', 60_000);
  expect(await told()).toEqual(expected);
  const of = async (owner: string): Promise<number> =>
    (await actingOn(third, 'aud').audit.list({ owner, limit: 200 })).items.length;
  expect([await of('bob'), await of('eve')]).toEqual([Math.min(RUNS, 200), Math.min(RUNS, 200)]);
}, 120_000);
