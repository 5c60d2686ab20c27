import { createEngine, InMemoryMemoryIndex, type Engine, type UnitHandler } from '../../src/engine/index.js';
import { InProcessRunWatch } from '../../src/engine/drivers/local/in-process-run-watch.js';
import { SharedOwnership } from '../../src/engine/testing/ownership/shared-ownership.js';
import { DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence, workflowYaml } from '../support/engine.js';
import { SharedStore } from '../support/shared-store.js';

const SHARDS = 4;
const folders = new DurableEngines();
const open: Engine[] = [];

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
  await folders.clear();
});

async function twoEngines(units: Readonly<Record<string, UnitHandler>> = {}) {
  const store = new SharedStore(folders.folder());
  const ownership = new SharedOwnership({ shardCount: SHARDS });
  const watch = new InProcessRunWatch();
  const engineOf = async (name: string): Promise<Engine> => {
    const memory = new InMemoryMemoryIndex();
    const driver = ownership.driver(name);
    const engine = createEngine({ store, watch, driver, memory, sameInstantMs: 0, shutdownGraceMs: 1_000 });
    for (const [uses, handler] of Object.entries(units)) engine.registerUnit(uses, handler);
    await engine.open();
    open.push(engine);
    return engine;
  };
  const [left, right] = [await engineOf('left'), await engineOf('right')];
  await ownership.spread();
  return { left, right, store, ownership };
}

const child = (id: string, workflowId: string) => ({ id, uses: 'builtin.workflow', config: { workflowId } });
const gate = { id: 'gate', uses: 'builtin.approval' };
const INNER = inSequence('inner', [gate]);
const OUTER = inSequence('outer', [child('sub', 'inner')]);

describe('a parent and its child over two engines', () => {
  it('are notified of one another, whichever of them gets a request at which engine', async () => {
    const { left, right } = await twoEngines();
    for (const yaml of [INNER, OUTER]) await left.workflows.register({ yaml });
    for (let round = 0; round < 8; round++) {
      const [here, there] = round % 2 === 0 ? [left, right] : [right, left];
      const { runId, status } = await here.runs.start({ workflowId: 'outer', sync: true });
      expect(status).toBe('paused');
      const outer = { workflowId: 'outer', runId };
      const [asked] = await there.gates.open(outer);
      const inner = { workflowId: 'inner', runId: asked!.runId! };
      const decision = { approved: true, responder: 'ann' };
      if (round < 4) await there.gates.respond({ ...inner, ...decision });
      else expect((await there.gates.respond({ ...outer, ...decision })).status).toBe('completed');
      await until(async () => (await here.runs.get(outer)).status === 'completed', 'the parent completes');
    }
  }, 30_000);

  it('end while shards move, and nothing is called twice', async () => {
    const calls = new Map<string, number>();
    const work: UnitHandler = async ({ context }) => {
      calls.set(context.executionId, (calls.get(context.executionId) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 3));
      return 1;
    };
    const { left, right, ownership, store } = await twoEngines({ work });
    const flow = { type: 'foreach', items: '[0, 1, 2, 3, 4]', do: 'one', maxConcurrency: 3 };
    await left.workflows.register({ yaml: inSequence('leaf', [{ id: 'work', uses: 'work' }]) });
    await left.workflows.register({ yaml: workflowYaml('root', { units: [child('one', 'leaf')], flow }) });
    const starts = Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? left : right).runs.start({ workflowId: 'root', sync: true }),
    );
    for (let shard = 0; shard < SHARDS; shard++) {
      const [from, to] = ownership.shardsOf('left').includes(shard) ? ['left', 'right'] : ['right', 'left'];
      await ownership.move(shard, from!, to!);
    }
    const records = await Promise.all(starts);
    expect(records.map(({ status }) => status)).toEqual(records.map(() => 'completed'));
    expect(calls.size).toBe(60);
    expect([...calls.values()].every((count) => count === 1)).toBe(true);
    const entries = async () => (await store.readFamilyLog({ afterPosition: 0, limit: 9 })).length;
    await until(async () => (await entries()) === 0, 'the family log is empty');
  }, 60_000);
});
