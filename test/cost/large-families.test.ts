import type { Engine } from '../../src/engine/index.js';
import { systemClock } from '../../src/engine/runtime/system-clock.js';
import { DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence, workflowYaml } from '../support/engine.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

const child = (id: string, workflowId: string) => ({ id, uses: 'builtin.workflow', config: { workflowId } });
const ten = '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]';
const tenOf = (id: string, workflowId: string) =>
  workflowYaml(id, {
    units: [child('one', workflowId)],
    flow: { type: 'foreach', items: ten, do: 'one', maxConcurrency: 10 },
  });
/** A root with ten children, each of which has ten, each of which has ten. */
const tree = (leaf: object): readonly string[] => [
  inSequence('leaf', [leaf]),
  tenOf('twig', 'leaf'),
  tenOf('branch', 'twig'),
  tenOf('root', 'branch'),
];

async function openWith(documents: readonly string[]) {
  const opened = await engines.open(engines.folder(), {}, { clock: systemClock });
  for (const yaml of documents) await opened.engine.workflows.register({ yaml });
  return opened;
}

async function allOf(engine: Engine, address: { workflowId: string; runId: string }) {
  const found = [address];
  for (const { workflowId, runId } of found) {
    const { messages } = await engine.runs.messages({ workflowId, runId });
    for (const message of messages) {
      if (message.type !== 'child-started') continue;
      found.push({ workflowId: message.workflowId, runId: message.childRunId });
    }
  }
  return found;
}

describe('a tree of a thousand runs in three levels', () => {
  it('ends, and every parent costs in proportion to its own children', async () => {
    const { engine, store } = await openWith(
      tree({ id: 'work', uses: 'builtin.mock', config: { response: 1 } }),
    );
    const startedAt = performance.now();
    const { runId, status } = await engine.runs.start({ workflowId: 'root', sync: true });
    const tookMs = performance.now() - startedAt;
    expect(status).toBe('completed');
    expect(await allOf(engine, { workflowId: 'root', runId })).toHaveLength(1_111);
    console.log(`1,111 runs in ${Math.round(tookMs)} ms, ${store.asked.length} appends`);
    const left = async () => (await store.readFamilyLog({ afterPosition: 0, limit: 9 })).length;
    await until(async () => (await left()) === 0, 'the family log is empty');
  }, 60_000);

  it('is cancelled as a whole by a cancel of its root', async () => {
    const wait = { id: 'wait', uses: 'builtin.wait', config: { duration: 'P1D' } };
    const { engine } = await openWith(tree(wait));
    const { runId } = await engine.runs.start({ workflowId: 'root' });
    const root = { workflowId: 'root', runId };
    const begun = () => allOf(engine, root).catch(() => []);
    await until(async () => (await begun()).length === 1_111, 'all of it has begun');
    const runs = await begun();
    // A child is recorded by its parent a moment before its own run exists.
    const statusOf = (run: (typeof runs)[number]) =>
      engine.runs.get(run).then(
        ({ status }) => status,
        () => 'unknown',
      );
    const startedAt = performance.now();
    await engine.runs.cancel(root);
    const giveUpAt = Date.now() + 40_000;
    let left = runs;
    while (left.length > 0 && Date.now() < giveUpAt) {
      const statuses = await Promise.all(left.map(statusOf));
      left = left.filter((_, index) => statuses[index] !== 'failed');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(left).toEqual([]);
    console.log(`cancelled in ${Math.round(performance.now() - startedAt)} ms`);
  }, 60_000);
});

describe('a parent', () => {
  it('of a thousand children that end one after another is not read for each of them', async () => {
    const items = `[${Array.from({ length: 1_000 }, (_, index) => index).join(', ')}]`;
    const flow = { type: 'foreach', items, do: 'one', maxConcurrency: 1_000 };
    const { engine, store } = await openWith([
      inSequence('leaf', [{ id: 'work', uses: 'builtin.mock' }]),
      workflowYaml('root', { units: [child('one', 'leaf')], flow }),
    ]);
    const loads: string[] = [];
    const load = store.load.bind(store);
    store.load = (request) => (loads.push(request.runId), load(request));
    const startedAt = performance.now();
    const { runId, status } = await engine.runs.start({ workflowId: 'root', sync: true });
    console.log(`1,000 children in ${Math.round(performance.now() - startedAt)} ms`);
    expect(status).toBe('completed');
    expect(loads.filter((loaded) => loaded === runId).length).toBeLessThan(20);
  }, 60_000);

  it('is notified within 20 ms that a child ended, in 99 of 100 cases', async () => {
    const { engine } = await openWith([
      inSequence('leaf', [{ id: 'gate', uses: 'builtin.approval' }]),
      inSequence('root', [child('one', 'leaf')]),
    ]);
    const delays: number[] = [];
    for (let round = 0; round < 100; round++) {
      const { runId } = await engine.runs.start({ workflowId: 'root', sync: true });
      const root = { workflowId: 'root', runId };
      const [, leaf] = await allOf(engine, root);
      await engine.gates.respond({ ...leaf!, approved: true, responder: 'ann' });
      const endedAt = (await engine.runs.get(leaf!)).updatedAt;
      await until(async () => (await engine.runs.get(root)).status === 'completed', 'the parent goes on');
      delays.push((await engine.runs.get(root)).updatedAt - endedAt);
    }
    delays.sort((a, b) => a - b);
    console.log(`median ${delays[49]} ms, 99th of 100 ${delays[98]} ms`);
    // A busy machine commits late: what counts here is that nobody waits for a poll of the log.
    expect(delays[98]).toBeLessThan(200);
    expect(delays[49]).toBeLessThan(50);
  }, 60_000);
});
