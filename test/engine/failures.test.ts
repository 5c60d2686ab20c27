import { InMemoryRunStore } from '../../src/engine/index.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

const one = inSequence('one', [{ id: 'work', uses: 'work' }]);
/** Another unit completes before the unit fails, so that a resume has a checkpoint to continue from. */
const afterOther = inSequence('one', [
  { id: 'other', uses: 'builtin.mock' },
  { id: 'work', uses: 'work' },
]);

describe('a unit that fails', () => {
  it('is retried after a growing delay, and the run fails after the last attempt', async () => {
    const attempts: number[] = [];
    const { engine, clock } = await openEngine({
      work: ({ context }) => {
        attempts.push(context.attempt);
        throw new Error('no luck');
      },
    });
    await engine.workflows.register({ yaml: one });
    const run = engine.runs.start({ workflowId: 'one', sync: true });
    await clock.advance(199);
    expect(attempts.length).toBeLessThanOrEqual(2);
    await clock.advance(1_000);
    const record = await run;
    expect(attempts).toEqual([1, 2, 3]);
    expect(record).toMatchObject({ status: 'failed', error: 'Unit work failed after 3 attempt(s): no luck' });
  });

  it('keeps its key over its attempts, and over a resume when its outcome is unknown', async () => {
    const keys: string[] = [];
    let isBroken = true;
    const { engine, clock } = await openEngine({
      work: (_request, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        if (isBroken) throw new Error('gone away');
        return 'done';
      },
    });
    await engine.workflows.register({ yaml: afterOther });
    const run = engine.runs.start({ workflowId: 'one', sync: true });
    await clock.advance(60_000);
    const { runId } = await run;
    isBroken = false;
    expect((await engine.runs.resume({ workflowId: 'one', runId })).status).toBe('completed');
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
  });

  it('gets a new key when it refused', async () => {
    const keys: string[] = [];
    const { engine } = await openEngine({
      work: (_request, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        if (keys.length === 1) throw Object.assign(new Error('bad input'), { retryable: false });
        return 'done';
      },
    });
    await engine.workflows.register({ yaml: afterOther });
    const { runId, error } = await engine.runs.start({ workflowId: 'one', sync: true });
    expect(error).toBe('Unit work failed after 1 attempt(s): bad input');
    await engine.runs.resume({ workflowId: 'one', runId });
    expect(new Set(keys).size).toBe(2);
  });

  it('is aborted when it overruns its time, and its late outcome changes nothing', async () => {
    let answerLate: (value: string) => void = () => undefined;
    const signals: AbortSignal[] = [];
    const { engine, clock } = await openEngine({
      work: ({ context }, { signal }) => {
        signals.push(signal);
        return context.attempt === 1 ? new Promise((resolve) => (answerLate = resolve)) : 'in time';
      },
    });
    const policy = { timeout: { unitMs: 1_000 } };
    await engine.workflows.register({ yaml: inSequence('one', [{ id: 'work', uses: 'work' }], { policy }) });
    const run = engine.runs.start({ workflowId: 'one', sync: true });
    await clock.advance(1_000);
    expect(signals[0]?.aborted).toBe(true);
    answerLate('too late');
    await clock.advance(1_000);
    expect((await run).result?.state).toEqual({ 'output.work': 'in time' });
  });
});

describe('a run', () => {
  it('fails when it overruns workflowMs, without the time in which it was paused', async () => {
    const { engine, clock } = await openEngine({ work: () => new Promise(() => undefined) });
    const units = [
      { id: 'ask', uses: 'builtin.approval' },
      { id: 'work', uses: 'work' },
    ];
    await engine.workflows.register({
      yaml: inSequence('slow', units, { policy: { timeout: { workflowMs: 5_000 } } }),
    });
    const { runId } = await engine.runs.start({ workflowId: 'slow', sync: true });
    await clock.advance(3_600_000);
    const responding = engine.gates.respond({ workflowId: 'slow', runId, approved: true, responder: 'ann' });
    await clock.advance(4_999);
    expect((await engine.runs.get({ workflowId: 'slow', runId })).status).toBe('running');
    await clock.advance(1);
    expect(await responding).toMatchObject({
      status: 'failed',
      error: 'The run overran its time-out of 5000 ms',
    });
  });

  it('never has more executions in flight than maxParallelUnits', async () => {
    let inFlight = 0;
    let most = 0;
    const { engine } = await openEngine({
      work: async () => {
        most = Math.max(most, ++inFlight);
        await new Promise((resolve) => setImmediate(resolve));
        inFlight--;
      },
    });
    const units = Array.from({ length: 40 }, (_, index) => ({ id: `u${index}`, uses: 'work' }));
    const flow = { type: 'parallel', units: units.map(({ id }) => id) };
    const policy = { concurrency: { maxParallelUnits: 7 } };
    await engine.workflows.register({ yaml: workflowYaml('wide', { units, flow, policy }) });
    const record = await engine.runs.start({ workflowId: 'wide', sync: true });
    expect(record.result?.completedUnits).toHaveLength(40);
    expect(most).toBe(7);
  });

  it('waits for a pinned unit that is not registered, and continues once it is', async () => {
    const store = new InMemoryRunStore();
    store.close = async () => undefined;
    const first = await openEngine({ work: () => 'never', ask: () => 1 }, { store });
    const units = [
      { id: 'gate', uses: 'builtin.approval' },
      { id: 'work', uses: 'work' },
    ];
    await first.engine.workflows.register({ yaml: inSequence('pinned', units) });
    const { runId } = await first.engine.runs.start({ workflowId: 'pinned', sync: true });
    await first.engine.close();
    const warnings: string[] = [];
    const silent = () => undefined;
    const logger = {
      debug: silent,
      info: silent,
      error: silent,
      warn: (message: string) => warnings.push(message),
    };
    const second = await openEngine({}, { store, logger, resumeWaitMs: 10 });
    const responding = second.engine.gates.respond({
      workflowId: 'pinned',
      runId,
      approved: true,
      responder: 'ann',
    });
    for (let turns = 0; turns < 5; turns++) await second.clock.advance(10);
    expect((await responding).status).toBe('running');
    expect(warnings.join()).toContain('work');
    second.engine.registerUnit('work', () => 'at last');
    await second.clock.advance(0);
    const record = await second.engine.runs.get({ workflowId: 'pinned', runId });
    expect(record.result?.state['output.work']).toBe('at last');
  });
});

describe('a store that fails for a while', () => {
  it('loses no result and has no unit called twice', async () => {
    const store = new InMemoryRunStore();
    const append = store.append.bind(store);
    let isFull = false;
    store.append = (request) => (isFull ? Promise.reject(new Error('disk full')) : append(request));
    const calls: string[] = [];
    const { engine, clock } = await openEngine(
      {
        work: ({ context }) => {
          calls.push(context.unitId);
          if (context.unitId === 'a') isFull = true;
          return context.unitId;
        },
      },
      { store },
    );
    await engine.workflows.register({
      yaml: inSequence(
        'two',
        ['a', 'b'].map((id) => ({ id, uses: 'work' })),
      ),
    });
    const run = engine.runs.start({ workflowId: 'two', sync: true });
    await clock.advance(10_000);
    await expect(engine.runs.start({ workflowId: 'two' })).rejects.toThrow('disk full');
    isFull = false;
    await clock.advance(10_000);
    expect((await run).result?.state).toEqual({ 'output.a': 'a', 'output.b': 'b' });
    expect(calls).toEqual(['a', 'b']);
  });
});

describe('an Idempotency-Key', () => {
  it('starts one run, also when it arrives twice at the same instant, and identifies one request', async () => {
    const { engine } = await openEngine({ work: () => 1 });
    await engine.workflows.register({ yaml: one });
    const request = { workflowId: 'one', input: { n: 1 }, sync: true, idempotencyKey: 'k' };
    const records = await Promise.all([engine.runs.start(request), engine.runs.start(request)]);
    const again = await engine.runs.start(request);
    expect(new Set([...records, again].map(({ runId }) => runId)).size).toBe(1);
    expect(again.status).toBe('completed');
    await expect(engine.runs.start({ ...request, input: { n: 2 } })).rejects.toMatchObject({
      code: 'idempotency-conflict',
    });
  });
});
