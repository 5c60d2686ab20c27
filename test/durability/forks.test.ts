import { setImmediate as nextLoop } from 'node:timers/promises';
import type { RunRecord } from '../../src/engine/index.js';
import { InMemoryRunStore } from '../../src/engine/index.js';
import type { AppendRequest } from '../../src/engine/ports/store/append.js';
import { DurableEngines, type DurableEngine } from '../support/durability-engine.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
const gate = (id: string) => ({ id, uses: 'builtin.approval' });
const yaml = inSequence('w', [work('a'), gate('agree'), work('b')]);

const calls: string[] = [];
const units = {
  work: ({ context }: { readonly context: { readonly unitId: string; readonly runId: string } }) => {
    calls.push(context.unitId);
    return `${context.unitId} done`;
  },
};
beforeEach(() => {
  calls.length = 0;
});

const approve = ({ engine }: Pick<DurableEngine, 'engine'>, runId: string): Promise<RunRecord> =>
  engine.gates.respond({ workflowId: 'w', runId, approved: true, responder: 'ann' });
const logOf = async ({ store }: Pick<DurableEngine, 'store'>, runId: string): Promise<string> =>
  JSON.stringify(await store.readEvents({ runId, afterSeq: 0, limit: 1_000 }));

async function paused(
  folder: string,
  options: object = {},
): Promise<DurableEngine & { readonly runId: string }> {
  const opened = await engines.open(folder, units, options);
  await opened.engine.workflows.register({ yaml });
  const { runId } = await opened.engine.runs.start({ workflowId: 'w', sync: true });
  return { ...opened, runId };
}

describe('a fork in a store on a disk', () => {
  it('continues after a power cut as one that never left memory, and its source stays as it was', async () => {
    const folder = engines.folder();
    const opened = await paused(folder);
    const before = await logOf(opened, opened.runId);
    const fork = await opened.engine.runs.fork({
      workflowId: 'w',
      runId: opened.runId,
      from: { unitId: 'agree' },
      state: { note: 'kind' },
      labels: { kind: 'retry' },
      sync: true,
    });
    expect(fork).toMatchObject({
      status: 'paused',
      result: { state: { note: 'kind', 'output.a': 'a done' } },
    });
    const second = await engines.open(engines.afterPowerCut(folder), units);
    await second.engine.workflows.register({ yaml });
    const done = await approve(second, fork.runId);
    expect(done).toMatchObject({ status: 'completed', result: { completedUnits: ['a', 'agree', 'b'] } });
    expect(calls).toEqual(['a', 'b']);
    expect(await logOf(second, opened.runId)).toBe(before);
    expect(await second.store.readLabels({ runId: fork.runId })).toEqual({ kind: 'retry' });
    // The fork can be rewound to where it began, and be read there.
    const began = `${fork.runId}.2`;
    const snapshot = await second.engine.runs.snapshot({
      workflowId: 'w',
      runId: fork.runId,
      snapshotId: began,
    });
    expect(snapshot.state).toEqual({ note: 'kind', 'output.a': 'a done' });
    const back = await second.engine.runs.resume({ workflowId: 'w', runId: fork.runId, snapshotId: began });
    expect(back).toMatchObject({ status: 'paused', result: { state: { note: 'kind' } } });
  });

  it('begins from a run that failed, or was cancelled, and leaves it so', async () => {
    const opened = await paused(engines.folder());
    const { engine, runId } = opened;
    await engine.runs.cancel({ workflowId: 'w', runId });
    const fork = await engine.runs.fork({ workflowId: 'w', runId, from: { unitId: 'agree' }, sync: true });
    expect(fork.status).toBe('paused');
    expect(await engine.runs.get({ workflowId: 'w', runId })).toMatchObject({ status: 'failed' });
  });

  it('continues by the definition of the run, though nothing is registered any more', async () => {
    const folder = engines.folder();
    const { runId } = await paused(folder);
    const second = await engines.open(engines.afterPowerCut(folder), units);
    const request = { workflowId: 'w', runId, from: { unitId: 'agree' }, sync: true } as const;
    expect((await second.engine.runs.fork(request)).status).toBe('paused');
    await expect(second.engine.runs.fork({ ...request, definition: 'current' })).rejects.toMatchObject({
      code: 'incompatible-definition',
      details: [],
    });
  });

  it('is not made again by a key that was carried out before the power cut', async () => {
    const folder = engines.folder();
    const { engine, runId } = await paused(folder);
    const request = { workflowId: 'w', runId, from: { unitId: 'agree' }, idempotencyKey: 'k' } as const;
    const fork = await engine.runs.fork(request);
    const second = await engines.open(engines.afterPowerCut(folder), units);
    expect((await second.engine.runs.fork(request)).runId).toBe(fork.runId);
    await expect(second.engine.runs.fork({ ...request, state: { n: 1 } })).rejects.toMatchObject({
      code: 'idempotency-conflict',
    });
  });
});

describe('a fork with changes after a decided gate', () => {
  it('is made where the engine allows it, and its log says which gates it passed', async () => {
    const opened = await paused(engines.folder(), { forkPastGates: true });
    const { engine, store, runId } = opened;
    await approve(opened, runId);
    const request = { workflowId: 'w', runId, from: { unitId: 'b' }, sync: true } as const;
    const plain = await engine.runs.fork(request);
    const changed = await engine.runs.fork({ ...request, state: { note: 'kind' } });
    const editsIn = async (fork: RunRecord): Promise<unknown> => {
      const [, forked] = await store.readEvents({ runId: fork.runId, afterSeq: 0, limit: 2 });
      return (forked as { readonly edits?: unknown } | undefined)?.edits;
    };
    expect(await editsIn(plain)).toEqual({});
    expect(await editsIn(changed)).toEqual({ state: { note: 'kind' }, pastGates: [4] });
  });
});

describe('forks of forks', () => {
  it('are loaded through all logs before them, and counted', async () => {
    const folder = engines.folder();
    const opened = await paused(folder);
    let { runId } = opened;
    for (let generation = 1; generation <= 20; generation++) {
      const fork = await opened.engine.runs.fork({
        workflowId: 'w',
        runId,
        ...(generation === 1 ? { from: { unitId: 'agree' } } : { from: { snapshotId: `${runId}.2` } }),
        state: { [`g${generation}`]: generation },
      });
      ({ runId } = fork);
    }
    const second = await engines.open(engines.afterPowerCut(folder), units);
    const record = await second.engine.runs.get({ workflowId: 'w', runId });
    expect(Object.keys(record.result!.state)).toEqual([
      'output.a',
      ...Array.from({ length: 20 }, (_, index) => `g${index + 1}`),
    ]);
    expect((await approve(second, runId)).status).toBe('completed');
  });

  it('are refused after a thousand, and the thousandth still continues', async () => {
    const store = new InMemoryRunStore();
    const { engine } = await openEngine(units, { store });
    await engine.workflows.register({ yaml });
    let { runId } = await engine.runs.start({ workflowId: 'w', sync: true });
    const fork = (from: object) => engine.runs.fork({ workflowId: 'w', runId, from: from as never });
    ({ runId } = await fork({ unitId: 'agree' }));
    for (let generation = 2; generation <= 1_000; generation++)
      ({ runId } = await fork({ snapshotId: `${runId}.3` }));
    await expect(fork({ snapshotId: `${runId}.3` })).rejects.toThrow('a fork of a fork, 1000 times over');
    expect((await approve({ engine }, runId)).status).toBe('completed');
  }, 60_000);
});

describe('a fork of a long or large run', () => {
  it('begins from the middle of a log of many pages, and is not folded from all of it again', async () => {
    const store = new InMemoryRunStore();
    const { engine } = await openEngine(units, { store });
    const count = { id: 'count', uses: 'builtin.set', config: { values: { n: '${{ iteration }}' } } };
    const flow = { type: 'loop', unit: 'count', maxIterations: 10_000, until: 'false' };
    const asks = { type: 'sequential', order: [flow, 'agree'] };
    await engine.workflows.register({
      yaml: workflowYaml('long', { units: [count, gate('agree')], flow: asks }),
    });
    const { runId } = await engine.runs.start({ workflowId: 'long', sync: true });
    const from = { unitId: 'count', occurrence: 9_000 };
    const fork = await engine.runs.fork({ workflowId: 'long', runId, from, sync: true });
    expect(fork).toMatchObject({ status: 'paused', result: { state: { n: 9_999 } } });
    const loaded = await store.load({ runId: fork.runId, atSeq: null });
    expect(loaded?.storedState?.seq).toBeGreaterThanOrEqual(2);
  }, 60_000);

  it('yields to the event loop', async () => {
    const { engine } = await openEngine({
      work: () => ({
        content: 'done',
        state: Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`k${i}`, i])),
      }),
    });
    await engine.workflows.register({ yaml });
    const { runId } = await engine.runs.start({ workflowId: 'w', sync: true });
    let longestMs = 0;
    const seen = { isOver: false };
    const watch = (async () => {
      for (let last = performance.now(); !seen.isOver; last = performance.now()) {
        await nextLoop();
        longestMs = Math.max(longestMs, performance.now() - last);
      }
    })();
    const forks = Array.from({ length: 20 }, () =>
      engine.runs.fork({ workflowId: 'w', runId, from: { unitId: 'agree' }, sync: true }),
    );
    expect(new Set((await Promise.all(forks)).map((fork) => fork.runId)).size).toBe(20);
    seen.isOver = true;
    await watch;
    expect(longestMs).toBeLessThan(1_000);
  });
});

describe('an engine that closes', () => {
  it('begins no fork any more', async () => {
    const { engine, runId } = await paused(engines.folder());
    const closing = engine.close();
    await expect(engine.runs.fork({ workflowId: 'w', runId })).rejects.toMatchObject({
      code: 'shutting-down',
    });
    await closing;
  });
});

describe('a run that is purged while it is forked', () => {
  it('is unknown to the fork request, and nothing is left of the fork', async () => {
    const store = new (class extends InMemoryRunStore {
      override append(request: AppendRequest) {
        if (request.row.origin !== 'fork') return super.append(request);
        const purged = this.purgeEnded({ endedBefore: Infinity, throughPosition: null, limit: 10 });
        return purged.then(() => super.append(request));
      }
    })();
    const { engine } = await openEngine(units, { store });
    await engine.workflows.register({ yaml: inSequence('w', [work('a')]) });
    const { runId } = await engine.runs.start({ workflowId: 'w', sync: true });
    const forking = engine.runs.fork({ workflowId: 'w', runId, from: { unitId: 'a' }, idempotencyKey: 'k' });
    await expect(forking).rejects.toMatchObject({ code: 'unknown-run' });
    expect((await engine.runs.list()).items).toEqual([]);
    expect(await store.readIdempotency({ scope: `fork:${runId}`, key: 'k' })).toBeNull();
    await engine.close();
  });
});
