import { InMemoryRunStore, type BatchedStart, type BatchedStartResult } from '../../src/engine/index.js';
import type { AppendRequest, AppendResult } from '../../src/engine/ports/store/append.js';
import { StoreError } from '../../src/errors/service-errors.js';
import { inSequence, openEngine } from '../support/engine.js';
import { until } from '../support/eventually.js';
import { HoldingStore } from '../support/holding-store.js';

const AMOUNTS = {
  input: { type: 'object', properties: { amount: { type: 'number', minimum: 0 } } },
};
const KIB = 1024;

async function opened(store = new InMemoryRunStore()) {
  const { engine } = await openEngine({ work: () => 'done' }, { store });
  await engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }], AMOUNTS) });
  const startBatch = (runs: readonly BatchedStart[], more: { readonly signal?: AbortSignal } = {}) =>
    engine.runs.startBatch({ workflowId: 'w', runs, ...more });
  return { engine, store, startBatch };
}

const amounts = (count: number): readonly BatchedStart[] =>
  Array.from({ length: count }, (_, amount) => ({ input: { amount } }));

const runIdsOf = (results: readonly BatchedStartResult[]) =>
  results.map((result) => (result.ok ? result.run.runId : null));
const codesOf = (results: readonly BatchedStartResult[]) =>
  results.map((result) => (result.ok ? 'started' : (result.error as { readonly code: string }).code));

describe('a batch of starts', () => {
  it('returns the record of each run as it begins, in the order of the request', async () => {
    const { engine, startBatch } = await opened();
    const results = await startBatch(amounts(150));
    expect(results).toHaveLength(150);
    expect(results.every((result) => result.ok && result.run.status === 'running')).toBe(true);
    const runIds = runIdsOf(results);
    expect(new Set(runIds).size).toBe(150);
    for (const [amount, runId] of runIds.entries()) {
      const read = () => engine.runs.get({ workflowId: 'w', runId: runId! });
      await until(async () => (await read()).status === 'completed', `${runId} completes`);
      expect((await read()).result?.state).toMatchObject({ amount });
    }
  });

  it('refuses a run with the error of a start by itself, and starts the others', async () => {
    const { engine, startBatch } = await opened();
    const refused: readonly BatchedStart[] = [
      { input: { amount: -1 } },
      { input: { amount: 1, 'output.a': 'forged' } },
      { labels: { 'not a name': '' } },
      { input: { amount: (() => 1) as never } },
    ];
    const results = await startBatch(refused.flatMap((start) => [{ input: { amount: 1 } }, start]));
    expect(codesOf(results)).toEqual([
      'started',
      'invalid-input',
      'started',
      'invalid-request',
      'started',
      'invalid-request',
      'started',
      'invalid-input',
    ]);
    for (const [index, start] of refused.entries()) {
      const alone = await engine.runs.start({ workflowId: 'w', ...start }).catch((error: unknown) => error);
      const { error } = results[index * 2 + 1] as { readonly error: unknown };
      const { code, message, details } = alone as Error & {
        readonly code: string;
        readonly details: unknown;
      };
      expect(error).toMatchObject({ code, message, details });
    }
  });

  it('takes the labels of each run, who starts them, and the namespace', async () => {
    const store = new InMemoryRunStore();
    const { engine } = await opened(store);
    const by = { id: 'ann', owner: 'acme', via: 'http', auth: 'host' } as const;
    const yaml = inSequence('w', [{ id: 'a', uses: 'work' }]);
    await engine.workflows.register({ namespace: 'left', yaml });
    const request = { namespace: 'left', workflowId: 'w', by, runs: [{ labels: { team: 'a' } }, {}] };
    const [first, second] = runIdsOf(await engine.runs.startBatch(request));
    expect(await store.readLabels({ runId: first! })).toEqual({ team: 'a' });
    expect(await store.readLabels({ runId: second! })).toEqual({});
    const [started] = await store.readEvents({ runId: second!, afterSeq: 0, limit: 1 });
    expect(started).toMatchObject({ by, namespace: 'left' });
  });

  it.each<[string, string, readonly BatchedStart[], string]>([
    ['an unknown workflow, whatever its runs are', 'nobody', [], 'unknown-workflow'],
    ['no run', 'w', [], 'invalid-request'],
    ['more than 1,000 runs', 'w', amounts(1_001), 'invalid-request'],
    ['a run that is none', 'w', [{}, null as never], 'invalid-request'],
  ])('is refused as a whole with %s, and starts nothing', async (_what, workflowId, runs, code) => {
    const { engine, store } = await opened();
    await expect(engine.runs.startBatch({ workflowId, runs })).rejects.toMatchObject({ code });
    expect(await store.lastPosition()).toBe(0);
  });

  it('may have 1,000 runs', async () => {
    const { startBatch } = await opened();
    expect(new Set(runIdsOf(await startBatch(amounts(1_000)))).size).toBe(1_000);
  });
});

describe('a key of a batched start', () => {
  it('makes one run of all that have it, and the first of them decides what it is', async () => {
    const { startBatch } = await opened();
    const keyed = (amount: number) => ({ input: { amount }, idempotencyKey: 'k' });
    // The third is in another group than the first.
    const results = await startBatch([keyed(1), keyed(2), ...amounts(70), keyed(1), keyed(2)]);
    expect(codesOf(results)).toEqual([
      'started',
      'idempotency-conflict',
      ...amounts(70).map(() => 'started'),
      'started',
      'idempotency-conflict',
    ]);
    expect(runIdsOf(results).at(-2)).toBe(runIdsOf(results)[0]);
  });

  it('is kept by no start that is refused: the next one that has it is started', async () => {
    const { startBatch } = await opened();
    const keyed = (amount: number) => ({ input: { amount }, idempotencyKey: 'k' });
    const results = await startBatch([keyed(-1), keyed(1), keyed(-1), keyed(2)]);
    expect(codesOf(results)).toEqual(['invalid-input', 'started', 'invalid-input', 'idempotency-conflict']);
  });

  it('finds the run of a start by itself, and is found by one', async () => {
    const { engine, startBatch } = await opened();
    const start = (idempotencyKey: string, amount: number) =>
      engine.runs.start({ workflowId: 'w', idempotencyKey, input: { amount } });
    const { runId } = await start('alone', 1);
    const [found, made] = runIdsOf(
      await startBatch([
        { idempotencyKey: 'alone', input: { amount: 1 } },
        { idempotencyKey: 'batched', input: { amount: 2 } },
      ]),
    );
    expect(found).toBe(runId);
    expect((await start('batched', 2)).runId).toBe(made);
    await expect(start('batched', 3)).rejects.toMatchObject({ code: 'idempotency-conflict' });
  });

  it('makes the whole batch safe to send again, also at the same time', async () => {
    const { engine, startBatch } = await opened();
    const runs = amounts(100).map((start, n) => ({ ...start, idempotencyKey: `k${n % 90}` }));
    const [first, second] = await Promise.all([startBatch(runs), startBatch(runs)]);
    const third = await startBatch(runs);
    expect(codesOf(first)).toEqual(runs.map((_, n) => (n < 90 ? 'started' : 'idempotency-conflict')));
    for (const again of [second, third]) {
      expect(runIdsOf(again)).toEqual(runIdsOf(first));
      expect(codesOf(again)).toEqual(codesOf(first));
    }
    expect((await engine.runs.list({ limit: 200 })).items).toHaveLength(90);
  });
});

describe('the store, during a batch of starts,', () => {
  it('is given 64 runs at a time, and the next ones once it has those', async () => {
    const store = new HoldingStore();
    const { startBatch } = await opened(store);
    const results = startBatch(amounts(150));
    for (const most of [64, 64, 22]) {
      await store.holds(most);
      store.letGo();
    }
    expect(codesOf(await results)).toEqual(amounts(150).map(() => 'started'));
  });

  it('is given about 1 MiB of input at a time, or one run whose input is longer', async () => {
    const store = new HoldingStore();
    const { startBatch } = await opened(store);
    const ofKib = (kib: number): BatchedStart => ({ input: { text: 'x'.repeat(kib * KIB) } });
    const results = startBatch([...[300, 300, 300, 300, 2_000].map(ofKib), ofKib(1)]);
    for (const most of [3, 1, 1, 1]) {
      await store.holds(most);
      store.letGo();
    }
    expect(codesOf(await results)).toHaveLength(6);
  });

  it('serves the starts of others before the batch is over', async () => {
    const { engine, startBatch } = await opened();
    const ended: string[] = [];
    const batch = startBatch(amounts(1_000)).then(() => ended.push('batch'));
    await new Promise(setImmediate);
    await engine.runs.start({ workflowId: 'w' });
    ended.push('start');
    await batch;
    expect(ended).toEqual(['start', 'batch']);
  });

  it('fails those runs that it cannot store, and no other', async () => {
    class FaultyStore extends InMemoryRunStore {
      starts = 0;
      override append(request: AppendRequest): AppendResult | Promise<AppendResult> {
        const isFaulty = request.expectedSeq === 0 && this.starts++ % 3 === 1;
        return isFaulty ? Promise.reject(new StoreError('The disk is full')) : super.append(request);
      }
    }
    const { startBatch } = await opened(new FaultyStore());
    const expected = amounts(100).map((_, n) => (n % 3 === 1 ? 'store' : 'started'));
    expect(codesOf(await startBatch(amounts(100)))).toEqual(expected);
  });
});

describe('a batch of starts that is left', () => {
  it('begins nothing further once its signal is aborted, and what had begun goes on', async () => {
    const store = new HoldingStore();
    const { engine, startBatch } = await opened(store);
    const left = new AbortController();
    const results = startBatch(amounts(100), { signal: left.signal });
    await store.holds(64);
    left.abort(new Error('left'));
    store.isHolding = false;
    store.letGo();
    const [begun, others] = [(await results).slice(0, 64), (await results).slice(64)];
    expect(begun.every(({ ok }) => ok)).toBe(true);
    expect(others).toEqual(others.map(() => ({ ok: false, error: new Error('left') })));
    expect((await engine.runs.list({ limit: 200 })).items).toHaveLength(64);
  });

  it('begins nothing further once the engine closes', async () => {
    const store = new HoldingStore();
    const { engine, startBatch } = await opened(store);
    const results = startBatch(amounts(100));
    await store.holds(64);
    const closed = engine.close();
    store.letGo();
    expect(codesOf((await results).slice(64))).toEqual(amounts(36).map(() => 'shutting-down'));
    await closed;
  });
});
