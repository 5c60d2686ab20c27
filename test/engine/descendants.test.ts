import { InMemoryRunStore, type Engine } from '../../src/engine/index.js';
import type { AppendRequest } from '../../src/engine/ports/store/append.js';
import { DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

const child = (id: string, workflowId: string, more: object = {}) => ({
  id,
  uses: 'builtin.workflow',
  config: { workflowId },
  ...more,
});
const waits = { id: 'waits', uses: 'builtin.wait', config: { duration: 'P1D' } };
const mock = { id: 'mock', uses: 'builtin.mock', config: { response: 1 } };
const eachOf = (items: string, maxConcurrency: number, workflowId: string) =>
  workflowYaml('root', {
    units: [child('child', workflowId)],
    flow: { type: 'foreach', items, do: 'child', maxConcurrency },
  });
/** A workflow that starts itself twice, recursively. */
const TREE = workflowYaml('tree', {
  units: [child('left', 'tree'), child('right', 'tree')],
  flow: { type: 'parallel', units: ['left', 'right'] },
});

/** Counts the child runs, and the most of them that were unfinished at once. */
class CountingStore extends InMemoryRunStore {
  live = 0;
  most = 0;
  begun = 0;

  override async append(request: AppendRequest) {
    const result = await super.append(request);
    const { row, expectedSeq } = request;
    if (result !== 'appended' || row.parentRunId === null) return result;
    if (expectedSeq === 0) this.begun += 1;
    if (expectedSeq === 0) this.live += 1;
    if (row.endedAt !== null) this.live -= 1;
    this.most = Math.max(this.most, this.live);
    return result;
  }
}

async function registered(engine: Engine, ...documents: readonly string[]): Promise<void> {
  for (const yaml of documents) await engine.workflows.register({ yaml });
}

describe('a start that makes more descendants than it may have', () => {
  it('fails where it would make one too many, and names the limit', async () => {
    const store = new CountingStore();
    const { engine } = await openEngine({}, { store, maxDescendants: 3 });
    await registered(engine, inSequence('leaf', [waits]), eachOf('input.n', 10, 'leaf'));
    const input = { n: [1, 2, 3, 4, 5, 6, 7] };
    const record = await engine.runs.start({ workflowId: 'root', input, sync: true });
    expect(record.status).toBe('failed');
    expect(record.error).toBe(
      `Unit child failed: 3 runs below ${record.runId} are not over, and there may be no more ` +
        '(FLOWGATE_MAX_DESCENDANTS): begin fewer at once, or allow more, then resume this one',
    );
    expect(store.begun).toBe(3);
    await until(() => store.live === 0, 'those that were begun are ended with their parent');
    await engine.close();
  });

  it('may make as many as it likes one after the other', async () => {
    const store = new CountingStore();
    const { engine } = await openEngine({}, { store, maxDescendants: 2 });
    await registered(engine, inSequence('leaf', [mock]), eachOf('input.n', 2, 'leaf'));
    const input = { n: Array.from({ length: 40 }, (_, n) => n) };
    const { status } = await engine.runs.start({ workflowId: 'root', input, sync: true });
    expect([status, store.begun]).toEqual(['completed', 40]);
    await engine.close();
  });

  it('is bounded over all generations: a workflow that starts itself twice, recursively, ends', async () => {
    const store = new CountingStore();
    const { engine } = await openEngine({}, { store, maxDescendants: 20, cancelGraceMs: 0 });
    await registered(engine, TREE);
    const { runId } = await engine.runs.start({ workflowId: 'tree' });
    await until(async () => {
      const { status } = await engine.runs.get({ workflowId: 'tree', runId });
      return status === 'failed' && store.live === 0;
    }, 'the whole family is over');
    expect(store.most).toBe(20);
    await engine.close();
  });

  it('does not count towards other starts', async () => {
    const store = new CountingStore();
    const { engine } = await openEngine({}, { store, maxDescendants: 3 });
    await registered(engine, inSequence('leaf', [waits]), eachOf('input.n', 3, 'leaf'));
    for (let start = 0; start < 4; start += 1)
      await engine.runs.start({ workflowId: 'root', input: { n: [1, 2, 3] } });
    await until(() => store.live === 12, 'all of them have begun');
    await engine.close();
  });
});

describe('a start whose process was stopped', () => {
  const engines = new DurableEngines();
  afterEach(() => engines.clear());
  const gate = { id: 'gate', uses: 'builtin.approval', config: { title: 'On?' } };

  it.each([
    [3, 'failed'],
    [6, 'completed'],
  ] as const)('has what it began before counted, of at most %d: %s', async (maxDescendants, status) => {
    const folder = engines.folder();
    const first = await engines.open(folder, {}, { maxDescendants });
    const documents = [
      inSequence('leaf', [mock]),
      inSequence('middle', [gate, child('leaf', 'leaf')]),
      eachOf('input.n', 3, 'middle'),
    ];
    await registered(first.engine, ...documents);
    const { runId } = await first.engine.runs.start({
      workflowId: 'root',
      input: { n: [1, 2, 3] },
      sync: true,
    });
    await until(async () => (await childrenOf(first.store, runId)).length === 3, 'three wait');
    await first.engine.close();

    const { engine, store } = await engines.open(folder, {}, { maxDescendants });
    await registered(engine, ...documents);
    for (const { runId: middle } of await childrenOf(store, runId)) {
      await engine.gates
        .respond({ workflowId: 'middle', runId: middle, approved: true, responder: 'ann' })
        .catch(() => null);
    }
    await until(async () => {
      const record = await engine.runs.get({ workflowId: 'root', runId });
      return record.status === status;
    }, `the start is ${status}`);
    const { error } = await engine.runs.get({ workflowId: 'root', runId });
    if (status === 'failed') expect(error).toContain('3 runs below');
  });
});

describe('children that failed and are retried', () => {
  const engines = new DurableEngines();
  afterEach(() => engines.clear());

  it('are kept where there may be no more of them for now, so nothing that they did is done twice', async () => {
    const folder = engines.folder();
    const paid: string[] = [];
    let isBroken = true;
    const isOver = Promise.withResolvers<void>();
    const units = {
      pay: (_request: unknown, { runId }: { readonly runId: string }) => paid.push(runId),
      flaky: async () => {
        if (isBroken) throw Object.assign(new Error('broken'), { retryable: false });
        await isOver.promise;
        return 'mended';
      },
    };
    const documents = [
      inSequence('leaf', [
        { id: 'pay', uses: 'pay' },
        { id: 'flaky', uses: 'flaky' },
      ]),
      workflowYaml('root', {
        units: [child('a', 'leaf'), child('b', 'leaf')],
        flow: { type: 'parallel', units: ['a', 'b'], failureStrategy: 'collect-errors' },
      }),
    ];
    const first = await engines.open(folder, units);
    await registered(first.engine, ...documents);
    const { runId } = await first.engine.runs.start({ workflowId: 'root', sync: true });
    expect(paid).toHaveLength(2);
    await first.engine.close();

    isBroken = false;
    const { engine } = await engines.open(folder, units, { maxDescendants: 1 });
    await registered(engine, ...documents);
    const root = { workflowId: 'root', runId };
    const becomes = (status: string) =>
      until(async () => (await engine.runs.get(root)).status === status, `the start is ${status}`);
    const resumed = engine.runs.resume(root);
    await until(async () => {
      const { messages } = await engine.runs.messages(root);
      return messages.some((one) => one.type === 'unit-failed' && one.error.includes('1 runs below'));
    }, 'one of them is refused');
    isOver.resolve();
    await resumed;
    await becomes('failed');
    await engine.runs.resume(root);
    await becomes('completed');
    expect(paid).toHaveLength(2);
  });
});

const childrenOf = (store: Pick<InMemoryRunStore, 'listChildren'>, parentRunId: string) =>
  store.listChildren({ parentRunId, afterRunId: null, limit: 9 });
