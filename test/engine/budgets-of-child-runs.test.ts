import { setTimeout as delay } from 'node:timers/promises';
import { InMemoryRunStore, type Engine, type RunRecord } from '../../src/engine/index.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';
import { until as untilSo } from '../support/eventually.js';

const used = (tokens: number, cost = 0) => ({
  content: 'done',
  tokenUsage: { totalTokens: tokens, estimatedCost: cost },
});
const step = (id: string, more: object = {}) => ({ id, uses: 'acme.work', ...more });
const child = (id: string, workflowId = 'inner', more: object = {}) => ({
  id,
  uses: 'builtin.workflow',
  config: { workflowId },
  ...more,
});
const gate = { id: 'gate', uses: 'builtin.approval' };
const budget = (maxTokens: number, onExceed = 'fail') => ({ budget: { maxTokens, onExceed } });
const looped = (id: string, unit: object, policy: object) =>
  workflowYaml(id, {
    units: [unit],
    flow: { type: 'loop', do: (unit as { id: string }).id, until: 'false', maxIterations: 20 },
    policy,
  });
const perItem = (id: string, unit: object, policy: object) =>
  workflowYaml(id, {
    units: [unit],
    flow: { type: 'foreach', items: 'input.items', do: (unit as { id: string }).id, maxConcurrency: 50 },
    policy,
  });
const items = (count: number) => Array.from({ length: count }, (_, index) => index);

/** What a unit reports as used, by the run that it was called for. */
type Work = (call: { unitId: string; runId: string }) => unknown;

async function opened(
  workflows: readonly string[],
  work: Work = () => used(1_000),
  store?: InMemoryRunStore,
) {
  const called: string[] = [];
  const { engine } = await openEngine(
    {
      'acme.work': ({ context: { unitId, runId } }) => {
        called.push(unitId);
        return work({ unitId, runId });
      },
    },
    store === undefined ? {} : { store },
  );
  for (const yaml of workflows) await engine.workflows.register({ yaml });
  const start = (input: object = {}) =>
    engine.runs.start({ workflowId: 'outer', input: input as never, sync: true });
  return { engine, called, start };
}

const until = (isSo: () => boolean | Promise<boolean>) => untilSo(isSo, 'what is waited for happened');

/** The status of a run, what it spent, and its children, also for a failed run. */
async function read(engine: Engine, { runId }: Pick<RunRecord, 'runId'>) {
  const address = { workflowId: 'outer', runId };
  const { status, error } = await engine.runs.get(address);
  const { messages } = await engine.runs.messages(address);
  const tokens = messages.reduce(
    (sum, message) => sum + (message.type === 'cost-update' ? message.tokens : 0),
    0,
  );
  const children = messages.flatMap((message) =>
    message.type === 'child-started' ? [message.childRunId] : [],
  );
  return { status, error, tokens, children, messages };
}

async function isThere(engine: Engine, runId: string): Promise<boolean> {
  return engine.runs.get({ workflowId: 'inner', runId }).then(
    () => true,
    () => false,
  );
}

const gatesOf = async (engine: Engine) => (await engine.gates.list({ workflowId: 'inner' })).items;
const inner = inSequence('inner', [step('work')]);

describe('a run whose budget is used up', () => {
  it('begins no other child run: a loop of children fails after the first', async () => {
    const { engine, called, start } = await opened([inner, looped('outer', child('sub'), budget(500))]);
    const record = await start();
    const { status, tokens, children, messages } = await read(engine, record);
    expect({ status, tokens }).toEqual({ status: 'failed', tokens: 1_000 });
    expect(record.error).toBe(
      'Unit sub was not called: the run has used 1000 of 500 tokens, its budget. Resume the run with a higher one: {"budget": {"maxTokens": …}}',
    );
    expect(called).toEqual(['work']);
    const [first, second] = children;
    expect([await isThere(engine, first!), await isThere(engine, second!)]).toEqual([true, false]);
    const told = messages.filter(({ type }) => type === 'policy-violation');
    expect(told).toMatchObject([
      { unitId: 'sub', violation: 'The run has used 1000 of 500 tokens, its budget' },
    ]);
    // As many children as the budget covers.
    const { runId } = record;
    await engine.runs.resume({ workflowId: 'outer', runId, budget: { maxTokens: 2_500 } });
    expect(await read(engine, record)).toMatchObject({ status: 'failed', tokens: 3_000 });
    expect(called).toHaveLength(3);
    await engine.close();
  });

  it('is paused before the next one where its budget says so, and begins it with a higher one', async () => {
    const { engine, called, start } = await opened([
      inner,
      looped('outer', child('sub'), budget(500, 'pause')),
    ]);
    const { runId, status } = await start();
    expect({ status, called }).toEqual({ status: 'paused', called: ['work'] });
    const address = { workflowId: 'outer', runId };
    expect((await engine.runs.resume(address)).status).toBe('paused');
    expect(called).toHaveLength(1);
    const record = await engine.runs.resume({ ...address, budget: { maxTokens: 2_000 } });
    expect(record).toMatchObject({ status: 'paused', result: { tokenUsage: 2_000 } });
    expect(record.result!.messages.findLast(({ type }) => type === 'run-paused')).toMatchObject({
      type: 'run-paused',
      reason: 'budget',
      unitId: 'sub',
    });
    // The blocked call has started no child yet, and is cancelled with its run.
    expect((await engine.runs.cancel(address)).error).toContain('Cancelled');
    expect(called).toHaveLength(2);
    await engine.close();
  });

  it('begins only the first of parallel children, whose size is unknown', async () => {
    const { engine, called, start } = await opened([inner, perItem('outer', child('sub'), budget(500))]);
    const record = await start({ items: items(20) });
    expect(await read(engine, record)).toMatchObject({ status: 'failed', tokens: 1_000 });
    expect(called).toEqual(['work']);
    await engine.close();
  });

  it('begins as many in parallel as the remaining budget covers, judged by what one has used', async () => {
    const open: ((answer: unknown) => void)[] = [];
    const { engine, called, start } = await opened(
      [inner, perItem('outer', child('sub'), budget(350, 'pause'))],
      () => new Promise((resolve) => open.push(resolve)),
    );
    const record = start({ items: items(9) });
    await until(() => open.length === 1);
    open[0]!(used(100));
    await until(() => open.length === 3);
    await delay(20);
    expect(called).toHaveLength(3);
    for (const answer of open.slice(1)) answer(used(100));
    await until(() => open.length === 4);
    open[3]!(used(100));
    expect(await record).toMatchObject({ status: 'paused', result: { tokenUsage: 400 } });
    expect(called).toHaveLength(4);
    await engine.close();
  });

  it('begins none that begins others: what those used counts up to the root', async () => {
    const { engine, called, start } = await opened([
      inner,
      inSequence('middle', [child('deep')]),
      looped('outer', child('sub', 'middle'), budget(500)),
    ]);
    expect(await read(engine, await start())).toMatchObject({ status: 'failed', tokens: 1_000 });
    expect(called).toEqual(['work']);
    await engine.close();
  });

  it('calls no unit next to a child that is under way and may use all that is left', async () => {
    let answer: (answer: unknown) => void = () => undefined;
    const flow = { type: 'parallel', units: ['sub', 'own'] };
    const { engine, called, start } = await opened(
      [
        inner,
        workflowYaml('outer', { units: [child('sub'), step('own')], flow, policy: budget(500, 'pause') }),
      ],
      ({ unitId }) => (unitId === 'work' ? new Promise((resolve) => (answer = resolve)) : used(1)),
    );
    const record = start();
    await until(() => called.length > 0);
    await delay(20);
    expect(called).toEqual(['work']);
    answer(used(10));
    expect(await record).toMatchObject({ status: 'completed', result: { tokenUsage: 11 } });
    await engine.close();
  });

  it('does not retry a failed child before it is given more; then it is the same child, counted once', async () => {
    let isBroken = true;
    const { engine, called, start } = await opened(
      [
        inSequence('inner', [step('paid'), step('work', { policyOverrides: { retry: { maxAttempts: 1 } } })]),
        inSequence('outer', [child('sub')], { policy: budget(300) }),
      ],
      ({ unitId }) => {
        if (unitId === 'work' && isBroken) throw new Error('broken');
        return used(300);
      },
    );
    const { runId } = await start();
    const address = { workflowId: 'outer', runId };
    isBroken = false;
    for (const again of [1, 2]) {
      await engine.runs.resume(address);
      const { status, tokens, error } = await read(engine, { runId });
      expect([again, status, tokens]).toEqual([again, 'failed', 300]);
      expect(error).toContain('Unit sub was not called: the run has used 300 of 300 tokens');
    }
    expect(called).toEqual(['paid', 'work']);
    const record = await engine.runs.resume({ ...address, budget: { maxTokens: 301 } });
    expect(record).toMatchObject({ status: 'completed', result: { tokenUsage: 600 } });
    expect(called).toEqual(['paid', 'work', 'work']);
    expect(new Set((await read(engine, record)).children).size).toBe(1);
    await engine.close();
  });
});

describe('a process that ends', () => {
  it('lets no child bypass the budget: the one that runs is waited for, and no other is begun', async () => {
    const store = new InMemoryRunStore();
    store.close = async () => undefined;
    const workflows = [inner, perItem('outer', child('sub'), budget(500))];
    const first = await opened(workflows, () => new Promise(() => undefined), store);
    const { runId } = await first.engine.runs.start({
      workflowId: 'outer',
      input: { items: items(10) } as never,
    });
    await until(() => first.called.length === 1);
    await first.engine.close();
    const second = await opened(workflows, () => used(1_000), store);
    const address = { workflowId: 'outer', runId };
    await until(async () => (await second.engine.runs.get(address)).status === 'failed');
    expect((await read(second.engine, { runId })).tokens).toBe(1_000);
    expect(second.called).toEqual(['work']);
    await second.engine.close();
  });

  it('leaves the child that had used up the budget at its gate, and begins what the raised budget covers', async () => {
    const store = new InMemoryRunStore();
    store.close = async () => undefined;
    const workflows = [
      inSequence('inner', [step('work'), gate]),
      perItem('outer', child('sub'), budget(500, 'pause')),
    ];
    const first = await opened(workflows, () => used(600), store);
    const paused = await first.start({ items: items(2) });
    expect(paused).toMatchObject({ status: 'paused', result: { tokenUsage: 600 } });
    await first.engine.close();
    const second = await opened(workflows, () => used(600), store);
    const address = { workflowId: 'outer', runId: paused.runId };
    expect(await second.engine.runs.get(address)).toMatchObject({
      status: 'paused',
      result: { tokenUsage: 600 },
    });
    expect(second.called).toEqual([]);
    await second.engine.runs.resume({ ...address, budget: { maxTokens: 700 } });
    await until(async () => (await gatesOf(second.engine)).length === 2);
    for (const { workflowId, runId, gateId } of await gatesOf(second.engine))
      await second.engine.gates.respond({ workflowId, runId, gateId, approved: true, responder: 'ann' });
    await until(async () => (await second.engine.runs.get(address)).status === 'completed');
    expect(await second.engine.runs.get(address)).toMatchObject({ result: { tokenUsage: 1_200 } });
    await second.engine.close();
  });
});

describe('what a child spends', () => {
  it('counts when it comes to a gate, so that nothing else is called for it, and counts once', async () => {
    const flow = { type: 'parallel', units: ['sub', 'own'] };
    const { engine, called, start } = await opened(
      [
        inSequence('inner', [step('work'), gate, step('more')]),
        workflowYaml('outer', { units: [child('sub'), step('own')], flow, policy: budget(500, 'pause') }),
      ],
      () => used(600, 0.1),
    );
    const { runId, result, status } = await start();
    expect({ status, tokens: result!.tokenUsage, called }).toEqual({
      status: 'paused',
      tokens: 600,
      called: ['work'],
    });
    const address = { workflowId: 'outer', runId };
    const decided = await engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    expect(decided).toMatchObject({ status: 'paused', result: { tokenUsage: 1_200 } });
    const record = await engine.runs.resume({ ...address, budget: { maxTokens: 1_300 } });
    expect(record).toMatchObject({ status: 'completed', result: { tokenUsage: 1_800 } });
    expect(record.result!.cost).toBeCloseTo(0.3, 9);
    const told = record.result!.messages.filter(
      (message) => message.type === 'cost-update' && message.unitId === 'sub',
    );
    expect(told).toMatchObject([{ tokens: 600 }, { tokens: 600 }]);
    await engine.close();
  });

  it('counts once where it is cancelled at its gate', async () => {
    const { engine, start } = await opened(
      [
        inSequence('inner', [step('work'), gate]),
        inSequence('outer', [child('sub')], { policy: budget(900) }),
      ],
      () => used(600),
    );
    const { runId, result } = await start();
    expect(result!.tokenUsage).toBe(600);
    const [childRunId] = (await read(engine, { runId })).children;
    await engine.runs.cancel({ workflowId: 'inner', runId: childRunId! });
    await until(async () => (await engine.runs.get({ workflowId: 'outer', runId })).status === 'failed');
    expect((await read(engine, { runId })).tokens).toBe(600);
    // The run that replaces it is another run: what that spends is added.
    const again = await engine.runs.resume({ workflowId: 'outer', runId });
    expect(again).toMatchObject({ status: 'paused', result: { tokenUsage: 1_200 } });
    await engine.close();
  });

  it('delays no other while it waits at a gate: under a budget all gates of a family are open at once', async () => {
    const { engine, start } = await opened([
      inSequence('inner', [gate, step('work')]),
      perItem('outer', child('sub'), budget(100_000)),
    ]);
    expect((await start({ items: items(12) })).status).toBe('paused');
    expect(await gatesOf(engine)).toHaveLength(12);
    await engine.close();
  });
});

describe('a child with a lower budget of its own', () => {
  const stops = { id: 'first', uses: 'acme.work', pause: 'before' };

  it('keeps it when it is resumed with its parent, which is given more', async () => {
    const { engine, called, start } = await opened(
      [
        inSequence('inner', [stops, step('second')], { policy: budget(10, 'pause') }),
        inSequence('outer', [child('sub')]),
      ],
      () => used(10),
    );
    const { runId } = await start();
    const record = await engine.runs.resume({
      workflowId: 'outer',
      runId,
      budget: { maxTokens: 1_000 },
    });
    expect(record.status).toBe('paused');
    expect(called).toEqual(['first']);
    await engine.close();
  });

  it('keeps it when it failed, and is retried with its parent', async () => {
    const { engine, called, start } = await opened(
      [
        inSequence('inner', [step('first'), step('second')], { policy: budget(10) }),
        inSequence('outer', [child('sub')]),
      ],
      () => used(10),
    );
    const { runId, error } = await start();
    const { children } = await read(engine, { runId });
    expect(error).toContain('Unit second was not called: the run has used 10 of 10 tokens');
    const again = { workflowId: 'outer', runId, budget: { maxTokens: 1_000 } };
    expect((await engine.runs.resume(again)).status).toBe('failed');
    expect(called).toEqual(['first']);
    const [childRunId] = children;
    const own = { workflowId: 'inner', runId: childRunId!, budget: { maxTokens: 11 } };
    expect((await engine.runs.resume(own)).status).toBe('completed');
    expect(called).toEqual(['first', 'second']);
    await engine.close();
  });
});
