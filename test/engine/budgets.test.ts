import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { InMemoryRunStore } from '../../src/engine/index.js';
import { StoreError } from '../../src/errors/service-errors.js';
import type { Usage } from '../../src/engine/core/log/event-base.js';
import { BudgetKeeper } from '../../src/engine/runtime/dispatch/budget.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';
import { until } from '../support/eventually.js';
import { startUnitServer } from '../support/unit-server.js';

/** Tokens, or tokens and a cost, as a unit reports them. */
const used = (tokens: number, cost = 0) => ({
  content: 'done',
  tokenUsage: { totalTokens: tokens, estimatedCost: cost },
});

const ids = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);

/** Units in parallel, all of them at once. */
function sideBySide(count: number, budget: object, more: object = {}): string {
  const units = ids(count).map((id) => ({ id, uses: 'acme.work', ...more }));
  const policy = { budget, concurrency: { maxParallelUnits: count }, retry: { maxAttempts: 1 } };
  return workflowYaml('w', { units, flow: { type: 'parallel', units: ids(count) }, policy });
}

/** One unit, once for each item of the input. */
function forEachItem(budget: object, maxParallelUnits: number): string {
  const policy = { budget, concurrency: { maxParallelUnits }, retry: { maxAttempts: 1 } };
  const units = [{ id: 'work', uses: 'acme.work', with: { item: '${{ item }}' } }];
  const flow = { type: 'foreach', items: 'input.items', do: 'work', maxConcurrency: maxParallelUnits };
  return workflowYaml('w', { units, flow, policy });
}

/** The same numbers for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

type Sizes = (call: number) => Usage;

/** The sizes of successive calls. */
const HABITS: readonly (readonly [name: string, sizes: (roll: () => number) => Sizes])[] = [
  ['are of any size', (roll) => () => ({ tokens: Math.floor(roll() * 200), cost: roll() })],
  ['grow', () => (call) => ({ tokens: 5 + 3 * call, cost: 0.01 * call })],
  ['shrink', () => (call) => ({ tokens: Math.max(0, 300 - 3 * call), cost: 0 })],
  [
    'are mostly small, and now and then very large',
    (roll) => () => ({ tokens: roll() < 0.1 ? 700 : 4, cost: 0.02 }),
  ],
  ['cost, and use no tokens', (roll) => () => ({ tokens: 0, cost: 0.1 + roll() })],
];

describe('a hundred parallel units that respond over HTTP at any time', () => {
  it.each(HABITS)(
    'overshoot their budget by no more than they report beyond what they reserved: calls that %s',
    async (_name, habit) => {
      for (const [seed, isOneUnit] of [
        [7, false],
        [8, true],
      ] as const) {
        const roll = random(seed);
        const sizes = habit(roll);
        const reported = new Map<string, Usage>();
        const reserved = new Map<number, Usage | null>();
        const reserve = jest.spyOn(BudgetKeeper.prototype, 'reserve').mockImplementation(function (
          this: BudgetKeeper,
          ...[id, usage]
        ) {
          reserved.set(id, usage);
          return realReserve.call(this, id, usage);
        });
        const server = await startUnitServer(async ({ headers }) => {
          const usage = sizes(reported.size);
          reported.set(String(headers['idempotency-key']).split(':')[1]!, usage);
          await delay(roll() * 10);
          return { body: used(usage.tokens, usage.cost) };
        });
        const { engine } = await openEngine();
        const budget = { maxTokens: 1_000, maxCost: 5, onExceed: 'pause' };
        const yaml = isOneUnit ? forEachItem(budget, 100) : sideBySide(100, budget);
        await engine.workflows.register({
          yaml,
          bindings: { 'acme.work': { type: 'http', endpoint: server.url } },
        });
        const input = { items: Array.from({ length: 100 }, (_, item) => item) };
        const { status, result } = await engine.runs.start({ workflowId: 'w', input, sync: true });
        reserve.mockRestore();
        const spent = { tokens: result!.tokenUsage, cost: result!.cost };
        const beyond = (what: keyof Usage) =>
          [...reported].reduce(
            (sum, [id, usage]) => sum + Math.max(0, usage[what] - (reserved.get(Number(id))?.[what] ?? 0)),
            0,
          );
        expect(spent.tokens - 1_000).toBeLessThanOrEqual(beyond('tokens'));
        expect(spent.cost - 5).toBeLessThanOrEqual(beyond('cost') + 1e-9);
        // What was reported was recorded, and no usable part of the budget was left.
        expect([...reported.values()].reduce((sum, { tokens }) => sum + tokens, 0)).toBe(spent.tokens);
        expect(status === 'completed' || spent.tokens >= 1_000 || spent.cost >= 5 - 1e-6).toBe(true);
        expect(reserved.size).toBe(reported.size);
        await engine.close();
        await server.close();
      }
    },
  );

  it('reach their budget exactly where each uses as much as the others, and run in parallel', async () => {
    let open: () => void = () => undefined;
    const doorOpened = new Promise<void>((resolve) => (open = resolve));
    const server = await startUnitServer(async () => {
      if (server.requests.length > 1) await doorOpened;
      return { body: used(10) };
    });
    const { engine } = await openEngine();
    await engine.workflows.register({
      yaml: sideBySide(100, { maxTokens: 495, onExceed: 'pause' }),
      bindings: { 'acme.work': { type: 'http', endpoint: server.url } },
    });
    const run = engine.runs.start({ workflowId: 'w', sync: true });
    // The first runs alone; after it, 48 fit into what is left.
    await server.received(49);
    await delay(50);
    expect(server.requests).toHaveLength(49);
    open();
    expect(await run).toMatchObject({ status: 'paused', result: { tokenUsage: 500 } });
    expect(server.requests).toHaveLength(50);
    await engine.close();
    await server.close();
  });
});

const realReserve = BudgetKeeper.prototype.reserve;

/** An engine with one workflow of units that say what they used. */
async function opened(
  yaml: string,
  work: (unitId: string, attempt: number) => unknown = () => used(10),
  options: Parameters<typeof openEngine>[1] = {},
) {
  const called: string[] = [];
  const { engine, clock } = await openEngine(
    {
      'acme.work': ({ context: { unitId, attempt } }) => {
        called.push(unitId);
        return work(unitId, attempt);
      },
    },
    options,
  );
  await engine.workflows.register({ yaml });
  const start = (input: object = {}) =>
    engine.runs.start({ workflowId: 'w', input: input as never, sync: true });
  /** Starts a run without waiting for it. */
  const begin = async () => {
    const { runId } = await engine.runs.start({ workflowId: 'w' });
    await delay(20);
    return { workflowId: 'w', runId };
  };
  return { engine, clock, called, start, begin };
}

const step = (id: string, more: object = {}) => ({ id, uses: 'acme.work', ...more });
const steps = (budget: object, units: readonly object[], more: object = {}) =>
  inSequence('w', units, { policy: { budget, ...more } });

describe('units that complete at once', () => {
  it.each([
    ['paused', 'pause'],
    ['failed', 'fail'],
  ])('are called until nothing is left, and then the run is %s', async (status, onExceed) => {
    const { called, start, engine } = await opened(sideBySide(100, { maxTokens: 95, onExceed }));
    const record = await start();
    expect(record.status).toBe(status);
    expect(called).toHaveLength(10);
    const { messages } = await engine.runs.messages({ workflowId: 'w', runId: record.runId });
    const types = messages.map(({ type }) => type);
    expect(types.filter((type) => type === 'policy-violation')).toHaveLength(onExceed === 'pause' ? 90 : 1);
    await engine.close();
  });

  it('are not limited by a budget that names no bound', async () => {
    const { called, start } = await opened(sideBySide(20, {}));
    expect((await start()).status).toBe('completed');
    expect(called).toHaveLength(20);
  });

  it('are called in parallel once it is known that they report nothing', async () => {
    let underWay = 0;
    const seen: number[] = [];
    const { start } = await opened(forEachItem({ maxTokens: 5 }, 10), async () => {
      seen.push(++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
    });
    expect((await start({ items: [1, 2, 3, 4, 5] })).status).toBe('completed');
    expect(seen).toEqual([1, 1, 2, 3, 4]);
  });
});

describe('a run that its budget has paused', () => {
  const yaml = steps(
    { maxTokens: 15, onExceed: 'pause' },
    ids(4).map((id) => step(id)),
  );

  it('pauses again when it is resumed with the same budget or less, and continues with more', async () => {
    const { engine, called, start } = await opened(yaml);
    const { runId, status, result } = await start();
    expect({ status, tokens: result!.tokenUsage }).toEqual({ status: 'paused', tokens: 20 });
    const address = { workflowId: 'w', runId };
    for (const budget of [undefined, null, {}, { maxTokens: 5 }]) {
      expect((await engine.runs.resume({ ...address, budget })).status).toBe('paused');
    }
    expect(called).toEqual(['u0', 'u1']);
    const paused = await engine.runs.get(address);
    const told = paused.result!.messages.filter(({ type }) => type === 'run-paused');
    expect(told).toHaveLength(5);
    expect(told.at(-1)).toMatchObject({
      reason: 'budget',
      unitId: 'u2',
      error: expect.stringContaining(
        '20 of 5 tokens, its budget. Resume the run with a higher one: {"budget"',
      ),
    });
    const record = await engine.runs.resume({ ...address, budget: { maxTokens: 25 } });
    expect(record).toMatchObject({ status: 'paused', result: { tokenUsage: 30 } });
    expect((await engine.runs.resume({ ...address, budget: { maxTokens: 40 } })).status).toBe('completed');
    expect(called).toEqual(['u0', 'u1', 'u2', 'u3']);
  });

  it('continues in another process, which counts what was reported to the one before', async () => {
    const store = new InMemoryRunStore();
    store.close = async () => undefined;
    const wide = sideBySide(40, { maxTokens: 55, onExceed: 'pause' });
    const first = await opened(wide, () => used(10), { store });
    const { runId } = await first.start();
    await first.engine.close();
    const second = await opened(wide, () => used(10), { store });
    const record = await second.engine.runs.resume({ workflowId: 'w', runId, budget: { maxTokens: 100 } });
    expect(record).toMatchObject({ status: 'paused', result: { tokenUsage: 100 } });
    expect([first.called.length, second.called.length]).toEqual([6, 4]);
    await second.engine.close();
  });

  it('can be given more on a rewind, and what it has spent still counts', async () => {
    const { engine, called, start } = await opened(yaml);
    const { runId } = await start();
    const address = { workflowId: 'w', runId };
    const [first] = await engine.runs.snapshots(address);
    const { snapshotId } = first!;
    expect((await engine.runs.resume({ ...address, snapshotId })).status).toBe('paused');
    expect(called).toEqual(['u0', 'u1']);
    const budget = { maxTokens: 1_000 };
    const record = await engine.runs.resume({ ...address, snapshotId, budget });
    expect(record).toMatchObject({ status: 'completed', result: { tokenUsage: 50 } });
    expect(called).toEqual(['u0', 'u1', 'u1', 'u2', 'u3']);
  });

  it('recognises its key, and another budget under it', async () => {
    const { engine, start } = await opened(yaml);
    const { runId } = await start();
    const resume = (maxTokens: number) =>
      engine.runs.resume({ workflowId: 'w', runId, budget: { maxTokens }, idempotencyKey: 'more' });
    await resume(25);
    expect((await resume(25)).result!.tokenUsage).toBe(30);
    await expect(resume(26)).rejects.toMatchObject({ code: 'idempotency-conflict' });
  });

  it.each<readonly [object, string]>([
    [{ maxTokens: -1 }, 'budget.maxTokens must be a whole number from 0 to 9007199254740991'],
    [{ maxTokens: 1.5 }, 'budget.maxTokens must be a whole number from 0 to 9007199254740991'],
    [{ maxTokens: '5' }, 'budget.maxTokens must be a whole number from 0 to 9007199254740991'],
    [{ maxCost: -0.1 }, 'budget.maxCost must be a number from 0 to 1000000000000000'],
    [{ maxCost: Infinity }, 'budget.maxCost must be a number from 0 to 1000000000000000'],
    [{ tokens: 5 }, 'budget has no tokens: give maxTokens, maxCost or both'],
    [[5], 'budget must be an object: give maxTokens, maxCost or both'],
  ])('refuses %j', async (budget, message) => {
    const { engine, start } = await opened(yaml);
    const { runId } = await start();
    await expect(engine.runs.resume({ workflowId: 'w', runId, budget })).rejects.toMatchObject({
      code: 'invalid-request',
      message,
    });
  });
});

describe('a run that its budget has failed', () => {
  it('continues from there with a higher one', async () => {
    const { engine, called, start } = await opened(
      steps(
        { maxCost: 0.3 },
        ids(5).map((id) => step(id)),
      ),
      () => used(0, 0.1),
    );
    const { runId, status, error } = await start();
    expect(status).toBe('failed');
    expect(error).toBe(
      'Unit u3 was not called: the run has used a cost of 0.3 of 0.3, its budget. Resume the run with a higher one: {"budget": {"maxCost": …}}',
    );
    const address = { workflowId: 'w', runId };
    expect((await engine.runs.resume(address)).status).toBe('failed');
    expect((await engine.runs.resume({ ...address, budget: { maxCost: 2 } })).status).toBe('completed');
    expect(called).toEqual(ids(5));
  });

  it('before anything was done can be given something to spend, too', async () => {
    const { engine, called, start } = await opened(steps({ maxTokens: 0 }, [step('a')]));
    const { runId, status } = await start();
    expect({ status, called }).toEqual({ status: 'failed', called: [] });
    const address = { workflowId: 'w', runId };
    await expect(engine.runs.resume(address)).rejects.toMatchObject({ code: 'no-checkpoint' });
    expect((await engine.runs.resume({ ...address, budget: { maxTokens: 1 } })).status).toBe('completed');
  });

  it('has recorded what was in flight: what was paid for is not lost with it', async () => {
    let land: (answer: unknown) => void = () => undefined;
    const flow = { type: 'parallel', units: ['long', { type: 'sequential', order: ['a', 'b'] }] };
    const own = { policyOverrides: { budget: { maxTokens: 100 } } };
    const yaml = workflowYaml('w', {
      units: [step('first'), step('long', own), step('a', own), step('b')],
      flow: { type: 'sequential', order: ['first', flow] },
      policy: { budget: { maxTokens: 20 } },
    });
    const { called, begin, engine } = await opened(yaml, (unitId) =>
      unitId === 'long' ? new Promise((resolve) => (land = resolve)) : used(10),
    );
    const address = await begin();
    expect((await engine.runs.get(address)).status).toBe('running');
    land(used(12));
    await until(async () => (await engine.runs.get(address)).status !== 'running', 'the run failed');
    expect(await engine.runs.get(address)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('32 of 20 tokens'),
    });
    expect(called).toEqual(['first', 'long', 'a']);
  });
});

describe('a budget', () => {
  it('is checked again before each attempt', async () => {
    const flow = { type: 'parallel', units: ['shaky', 'other'] };
    const { called, start, clock } = await opened(
      workflowYaml('w', {
        units: [step('shaky'), step('other')],
        flow,
        policy: { budget: { maxTokens: 10 }, retry: { maxAttempts: 3, baseMs: 1_000 } },
      }),
      (unitId) => {
        if (unitId === 'shaky') throw new Error('no luck');
        return used(10);
      },
    );
    const run = start();
    await clock.advance(5_000);
    expect(await run).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Unit shaky was not called'),
    });
    expect(called).toEqual(['shaky', 'other']);
  });

  it('pauses at once what it pauses, and lets what is in flight continue', async () => {
    let land: (answer: unknown) => void = () => undefined;
    const units = [
      step('first'),
      step('long', { policyOverrides: { budget: { maxTokens: 99 } } }),
      step('b'),
    ];
    const flow = { type: 'sequential', order: ['first', { type: 'parallel', units: ['long', 'b'] }] };
    const policy = { budget: { maxTokens: 10, onExceed: 'pause' } };
    const { engine, called, begin } = await opened(workflowYaml('w', { units, flow, policy }), (unitId) =>
      unitId === 'long' ? new Promise((resolve) => (land = resolve)) : used(10),
    );
    const address = await begin();
    const { messages } = await engine.runs.messages(address);
    expect(messages.at(-1)).toMatchObject({ type: 'checkpoint' });
    expect(messages.at(-2)).toMatchObject({ type: 'run-paused', reason: 'budget', unitId: 'b' });
    expect((await engine.runs.get(address)).status).toBe('running');
    land(used(5));
    await until(async () => (await engine.runs.get(address)).status !== 'running', 'the run paused');
    expect(await engine.runs.get(address)).toMatchObject({ status: 'paused', result: { tokenUsage: 15 } });
    expect(called).toEqual(['first', 'long']);
    expect((await engine.runs.resume({ ...address, budget: { maxTokens: 90 } })).status).toBe('completed');
  });

  it('is the larger one of a unit that has a larger one', async () => {
    const { called, start } = await opened(
      steps({ maxTokens: 10 }, [
        step('a'),
        step('b', { policyOverrides: { budget: { maxTokens: 20 } } }),
        step('c', { policyOverrides: { budget: { maxTokens: 20 } } }),
      ]),
    );
    expect(await start()).toMatchObject({ status: 'failed', error: expect.stringContaining('Unit c') });
    expect(called).toEqual(['a', 'b']);
  });

  it('fails the branches that it cannot cover, and keeps the others, where failures are collected', async () => {
    const units = ids(4).map((id) => step(id));
    const flow = { type: 'parallel', units: ids(4), failureStrategy: 'best-effort' };
    const { called, start } = await opened(
      workflowYaml('w', { units, flow, policy: { budget: { maxTokens: 20 } } }),
    );
    const { status, result } = await start();
    expect(status).toBe('completed');
    expect(called).toEqual(['u0', 'u1']);
    expect(Object.keys(result!.state)).toEqual(['output.u0', 'output.u1', 'errors.u2', 'errors.u3']);
  });

  it('gets back what was reserved for a call that the run abandoned', async () => {
    const lands: ((answer: unknown) => void)[] = [];
    const { engine, called, begin } = await opened(
      steps({ maxTokens: 100 }, [step('a'), step('b'), step('long')]),
      (unitId) => (unitId === 'long' ? new Promise((resolve) => lands.push(resolve)) : used(30)),
    );
    const address = await begin();
    const [first] = await engine.runs.snapshots(address);
    const record = engine.runs.resume({ ...address, snapshotId: first!.snapshotId });
    await until(() => called.length >= 5, 'it was called again from there');
    expect(called).toEqual(['a', 'b', 'long', 'b', 'long']);
    lands[1]!(used(5));
    expect(await record).toMatchObject({ status: 'completed', result: { tokenUsage: 95 } });
  });

  it('applies while the store takes nothing: what was reported counts once, and no unit is called in between', async () => {
    let offered = 0;
    class FlakyStore extends InMemoryRunStore {
      override append(request: Parameters<InMemoryRunStore['append']>[0]) {
        const isAnswer = request.events.some(({ type }) => type === 'unit-finished');
        if (isAnswer && ++offered % 2 === 1) throw new StoreError('no space left');
        return super.append(request);
      }
    }
    const { called, start, clock } = await opened(
      sideBySide(30, { maxTokens: 95, onExceed: 'pause' }),
      async () => used(10),
      { store: new FlakyStore() },
    );
    const run = start();
    for (let seconds = 0; seconds < 100; seconds += 5) await clock.advance(5_000);
    expect(await run).toMatchObject({ status: 'paused', result: { tokenUsage: 100 } });
    expect(called).toHaveLength(10);
    expect(offered).toBeGreaterThan(3);
  });

  it('keeps calls that it blocks from delaying others at their endpoint', async () => {
    const lands: (() => void)[] = [];
    const server = await startUnitServer(async () => {
      await new Promise<void>((resolve) => lands.push(resolve));
      return { body: used(10) };
    });
    const { engine, clock } = await openEngine();
    const bindings = { 'acme.work': { type: 'http', endpoint: server.url } };
    const rateLimit = { maxRequestsPerMinute: 2 };
    const document = (id: string, units: readonly object[], policy: object) =>
      workflowYaml(id, {
        units,
        flow: { type: 'parallel', units: units.map((unit) => (unit as { id: string }).id) },
        policy: { rateLimit, ...policy },
      });
    const bounded = document(
      'bounded',
      ids(2).map((id) => step(id)),
      { budget: { maxTokens: 50 } },
    );
    await engine.workflows.register({ yaml: bounded, bindings });
    await engine.workflows.register({ yaml: document('free', [step('other')], {}), bindings });
    const first = await engine.runs.start({ workflowId: 'bounded' });
    await server.received(1);
    const second = await engine.runs.start({ workflowId: 'free' });
    await server.received(2);
    expect(server.requests[1]!.body).toContain('"unitId":"other"');
    for (const land of lands) land();
    const isCompleted = async ({ runId, workflowId }: typeof first) =>
      (await engine.runs.get({ workflowId, runId })).status === 'completed';
    await until(() => isCompleted(second), 'the other workflow is completed');
    await clock.advance(60_000);
    await server.received(3);
    lands[2]!();
    await until(() => isCompleted(first), 'the bounded one is completed');
    await engine.close();
    await server.close();
  });

  it('counts what a run of another workflow used once that has ended, and a raised budget reaches it', async () => {
    const policy = (maxTokens: number) => ({ policy: { budget: { maxTokens, onExceed: 'pause' } } });
    const { engine, called, start } = await opened(
      inSequence(
        'w',
        [{ id: 'child', uses: 'builtin.workflow', config: { workflowId: 'inner' } }, step('after')],
        policy(20),
      ),
    );
    await engine.workflows.register({ yaml: inSequence('inner', [step('a'), step('b')], policy(10)) });
    const { runId, status } = await start();
    expect({ status, called }).toEqual({ status: 'paused', called: ['a'] });
    const address = { workflowId: 'w', runId };
    const record = await engine.runs.resume({ ...address, budget: { maxTokens: 20 } });
    expect(record).toMatchObject({ status: 'paused', result: { tokenUsage: 20 } });
    expect(called).toEqual(['a', 'b']);
    const more = await engine.runs.resume({ ...address, budget: { maxTokens: 30 } });
    expect(more).toMatchObject({ status: 'completed', result: { tokenUsage: 30 } });
  });

  it('does not prevent the clean-up of a run that is cancelled', async () => {
    const yaml = workflowYaml('w', {
      units: [step('a'), step('b'), step('tidy')],
      flow: { type: 'sequential', order: ['a', 'b'] },
      onCancel: ['tidy'],
      policy: { budget: { maxTokens: 5, onExceed: 'pause' } },
    });
    const { engine, called, start } = await opened(yaml);
    const { runId } = await start();
    const { error } = await engine.runs.cancel({ workflowId: 'w', runId });
    expect(error).toContain('Cancelled');
    expect(called).toEqual(['a', 'tidy']);
  });

  it('and a requested pause are lifted together', async () => {
    const { engine, called, start } = await opened(
      steps(
        { maxTokens: 5, onExceed: 'pause' },
        ids(2).map((id) => step(id)),
      ),
    );
    const { runId } = await start();
    const address = { workflowId: 'w', runId };
    await engine.runs.pause(address);
    expect((await engine.runs.resume({ ...address, budget: { maxTokens: 50 } })).status).toBe('completed');
    expect(called).toEqual(ids(2));
  });

  it('lets the first call of a run, whose size is unknown, be alone', async () => {
    const lands: ((answer: unknown) => void)[] = [];
    const { called, start } = await opened(
      sideBySide(5, { maxTokens: 100, onExceed: 'pause' }),
      () => new Promise((resolve) => lands.push(resolve)),
    );
    const record = start();
    const landed = (count: number) => until(() => lands.length >= count, `${count} were called`);
    await landed(1);
    await delay(20);
    expect(called).toEqual(['u0']);
    lands[0]!(used(30));
    await landed(3);
    await delay(20);
    expect(called).toEqual(['u0', 'u1', 'u2']);
    // Two that are under way may use 60 of the 70 that are left.
    lands[1]!(used(10));
    await landed(4);
    await delay(20);
    expect(called).toEqual(['u0', 'u1', 'u2', 'u3']);
    lands[2]!(used(80));
    lands[3]!(used(1));
    expect(await record).toMatchObject({ status: 'paused', result: { tokenUsage: 121 } });
  });
});
