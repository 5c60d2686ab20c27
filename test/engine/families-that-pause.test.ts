import { until } from '../support/eventually.js';
import { inSequence, workflowYaml } from '../support/engine.js';
import {
  child,
  DAY,
  DAY_MS,
  gate,
  GRACE_MS,
  BlockingStore,
  INSTANT_MS,
  unit,
  World,
  type Address,
} from '../support/family-world.js';

let world: World;
beforeEach(async () => {
  world = new World();
  await world.open();
});
afterEach(() => world.close());

describe('a failed run that is resumed at once', () => {
  const flow = (units: readonly string[], more: object = {}) => ({
    type: 'sequential',
    order: ['sub', { type: 'parallel', units, ...more }],
  });
  const failsAndGoesOn = async (outer: Address) => {
    await until(async () => (await world.status(outer)) === 'failed', 'the run fails');
    world.answerAtOnce('f', 'slow', 'queued');
    return world.asked(world.engine.runs.resume(outer));
  };

  beforeEach(async () => {
    await world.register(inSequence('inner', [{ id: 'set', uses: 'builtin.set', config: { values: {} } }]));
  });

  it('calls again what was in flight when it failed, under its key', async () => {
    const units = [child('sub', 'inner'), unit('slow'), unit('f')];
    await world.register(workflowYaml('outer', { units, flow: flow(['slow', 'f']) }));
    const outer = await world.start('outer');
    world.callsOf('f')[0]!.fail(true);
    await world.settles();
    expect(await failsAndGoesOn(outer)).toMatchObject({ status: 'completed' });
    expect(new Set(world.callsOf('slow').map(({ key }) => key)).size).toBe(1);
    expect(world.callsOf('slow')).toHaveLength(2);
  });

  it('calls what was still queued when it failed', async () => {
    const units = [child('sub', 'inner'), unit('f'), unit('slow'), unit('queued')];
    const policy = { concurrency: { maxParallelUnits: 2 } };
    await world.register(workflowYaml('outer', { units, policy, flow: flow(['f', 'slow', 'queued']) }));
    const outer = await world.start('outer');
    expect(world.called()).toEqual(['f', 'slow']);
    world.callsOf('f')[0]!.fail(true);
    await world.settles();
    expect(await failsAndGoesOn(outer)).toMatchObject({ status: 'completed' });
    expect(world.callsOf('queued')).toHaveLength(1);
  });

  it('retries what was in back-off when it failed', async () => {
    const retry = { maxAttempts: 5, backoff: 'fixed', baseMs: 60_000, jitter: false };
    const units = [child('sub', 'inner'), unit('slow', { policyOverrides: { retry } }), unit('f')];
    await world.register(workflowYaml('outer', { units, flow: flow(['slow', 'f']) }));
    const outer = await world.start('outer');
    world.callsOf('slow')[0]!.fail(false);
    await world.settles();
    world.callsOf('f')[0]!.fail(true);
    await world.settles();
    await failsAndGoesOn(outer);
    await world.passes(60_000);
    expect(await world.status(outer)).toBe('completed');
  });

  it('calls what was blocked by its budget when it failed', async () => {
    const units = [child('sub', 'inner'), unit('slow'), unit('queued'), unit('f')];
    const policy = { budget: { maxTokens: 10_000, onExceed: 'fail' } };
    await world.register(workflowYaml('outer', { units, policy, flow: flow(['slow', 'queued', 'f']) }));
    const outer = await world.start('outer');
    // While it is unknown what calls use, the first runs alone.
    expect(world.called()).toEqual(['slow']);
    world.callsOf('slow')[0]!.fail(true);
    await world.settles();
    expect(await failsAndGoesOn(outer)).toMatchObject({ status: 'completed' });
  });
});

/** `outer` waits for `middle`, which waits for `inner`; or `outer` for `inner`. */
const nested = (depth: 1 | 2, innermost: readonly object[]): readonly string[] =>
  depth === 1
    ? [inSequence('inner', innermost), inSequence('outer', [child('sub', 'inner')])]
    : [
        inSequence('inner', innermost),
        inSequence('middle', [child('inside', 'inner')]),
        inSequence('outer', [child('sub', 'middle')]),
      ];

async function innermostOf(outer: Address): Promise<Address> {
  let [last] = [outer];
  for (;;) {
    const [next] = await world.childrenOf(last);
    if (next === undefined) return last;
    last = next;
  }
}

describe.each([1, 2] as const)('a family of a run and %d below it', (depth) => {
  it('continues when it is resumed while the pause of the innermost run is still in its grace', async () => {
    await world.register(...nested(depth, [unit('work'), unit('last')]));
    world.answerAtOnce('last');
    const outer = await world.start('outer');
    const pausing = world.engine.runs.pause(outer);
    world.send(pausing);
    await world.passes(50);
    expect(await world.asked(world.engine.runs.resume({ ...outer, waitMs: 0 }))).toMatchObject({
      runId: outer.runId,
    });
    world.callsOf('work')[0]!.answer('late');
    await world.passes(GRACE_MS + 1);
    expect(world.callsOf('last')).toHaveLength(1);
    expect(await world.status(outer)).toBe('completed');
  });

  it('continues when it is resumed after the grace, and what was released is called again', async () => {
    await world.register(...nested(depth, [unit('work')]));
    const outer = await world.start('outer');
    expect(await world.asked(world.engine.runs.pause(outer))).toMatchObject({ status: 'paused' });
    await world.passes(GRACE_MS + 1);
    world.answerAtOnce('work');
    await world.asked(world.engine.runs.resume(outer));
    expect(await world.status(outer)).toBe('completed');
    expect(new Set(world.callsOf('work').map(({ key }) => key)).size).toBe(1);
  });

  it('continues under a budget, though a waiting child was next when it was suspended', async () => {
    const inner = inSequence('inner', [unit('leaf')]);
    const both = [unit('work'), child('sub', 'inner')];
    const outer = workflowYaml('outer', {
      units: both,
      flow: { type: 'parallel', units: both.map(({ id }) => id) },
      policy: { budget: { maxTokens: 100, onExceed: 'fail' } },
    });
    await world.register(inner, outer);
    const run = await world.start('outer');
    expect(world.called()).toEqual(['work']);
    expect(await world.asked(world.engine.runs.pause(run))).toMatchObject({ status: 'paused' });
    world.answerAtOnce('work');
    world.answerAtOnce('leaf');
    await world.asked(world.engine.runs.resume(run));
    expect(await world.status(run)).toBe('completed');
  });

  it('records a decision while it is paused, at the gate of the innermost run, and calls nothing', async () => {
    await world.register(...nested(depth, [gate, unit('pay')]));
    world.answerAtOnce('pay');
    const outer = await world.start('outer');
    const inner = await innermostOf(outer);
    expect(await world.asked(world.engine.runs.pause(outer))).toMatchObject({ status: 'paused' });
    const [open] = await world.engine.gates.open(outer);
    expect(open).toMatchObject({ unitId: 'gate', runId: inner.runId });
    expect((await world.engine.gates.list({ status: 'open' })).items).toMatchObject([{ runId: inner.runId }]);
    const decision = { ...outer, approved: true, responder: 'ann', gateId: open!.gateId };
    const decided = await world.asked(world.engine.gates.respond({ ...decision, gateRunId: inner.runId }));
    expect(decided).toMatchObject({ status: 'paused', runId: outer.runId });
    await world.passes(DAY_MS);
    expect(world.called()).toEqual([]);
    expect(await world.status(inner)).toBe('paused');
    expect(await world.engine.gates.open(outer)).toEqual([]);
    await world.asked(world.engine.runs.resume(outer));
    expect(world.called()).toEqual(['pay']);
    expect(await world.status(outer)).toBe('completed');
  });

  it('records a decision while it is paused, sent to the innermost run itself, and calls nothing', async () => {
    await world.register(...nested(depth, [gate, unit('pay')]));
    world.answerAtOnce('pay');
    const outer = await world.start('outer');
    const inner = await innermostOf(outer);
    await world.asked(world.engine.runs.pause(outer));
    const decided = await world.asked(
      world.engine.gates.respond({ ...inner, approved: true, responder: 'ann' }),
    );
    expect(decided).toMatchObject({ status: 'paused', runId: inner.runId });
    expect(world.called()).toEqual([]);
    await world.asked(world.engine.runs.resume(outer));
    expect(world.called()).toEqual(['pay']);
    expect(await world.status(outer)).toBe('completed');
  });

  it('passes no pause of its author when its pause on request is lifted in the same resume', async () => {
    await world.register(...nested(depth, [gate, unit('one', { pause: 'before' })]));
    world.answerAtOnce('one');
    const outer = await world.start('outer');
    const inner = await innermostOf(outer);
    await world.asked(world.engine.runs.pause(outer));
    await world.asked(world.engine.gates.respond({ ...inner, approved: true, responder: 'ann' }));
    await world.asked(world.engine.runs.resume(outer));
    expect([await world.status(inner), world.called()]).toEqual(['paused', []]);
    await world.asked(world.engine.runs.resume(outer));
    expect(world.called()).toEqual(['one']);
  });

  it('stays paused while the innermost run is in back-off, and its unit is retried once it is resumed', async () => {
    const retry = { maxAttempts: 5, backoff: 'fixed', baseMs: 60_000, jitter: false };
    await world.register(...nested(depth, [unit('work', { policyOverrides: { retry } })]));
    const outer = await world.start('outer');
    world.callsOf('work')[0]!.fail(false);
    await world.settles();
    const inner = await innermostOf(outer);
    expect(await world.asked(world.engine.runs.pause(outer))).toMatchObject({ status: 'paused' });
    expect(await world.status(inner)).toBe('paused');
    await world.passes(DAY_MS);
    expect(world.called()).toEqual(['work']);
    world.answerAtOnce('work');
    await world.asked(world.engine.runs.resume(outer));
    await world.passes(60_000);
    expect(await world.status(outer)).toBe('completed');
  });

  it('stays paused while the innermost run waits for an instant, which then counts at the resume', async () => {
    await world.register(...nested(depth, [DAY, unit('last')]));
    world.answerAtOnce('last');
    const outer = await world.start('outer');
    const inner = await innermostOf(outer);
    expect(await world.asked(world.engine.runs.pause(outer))).toMatchObject({ status: 'paused' });
    await world.passes(2 * DAY_MS);
    expect([await world.status(inner), world.called()]).toEqual(['paused', []]);
    await world.asked(world.engine.runs.resume(outer));
    expect([await world.status(outer), world.called()]).toEqual(['completed', ['last']]);
  });

  it('continues below when the innermost run is resumed by its own address, and stays paused above', async () => {
    await world.register(...nested(depth, [DAY, unit('mine')]));
    const outer = await world.start('outer');
    const inner = await innermostOf(outer);
    await world.asked(world.engine.runs.pause(outer));
    await world.passes(2 * DAY_MS);
    await world.asked(world.engine.runs.resume({ ...inner, waitMs: 0 }));
    expect([await world.status(inner), world.called()]).toEqual(['running', ['mine']]);
    expect(await world.status(outer)).toBe('paused');
    world.callsOf('mine')[0]!.answer('done');
    await world.settles();
    expect([await world.status(inner), await world.status(outer)]).toEqual(['completed', 'paused']);
    await world.asked(world.engine.runs.resume(outer));
    expect(await world.status(outer)).toBe('completed');
  });

  it('is paused as a whole once more after the innermost run was resumed at its gate, by its own address', async () => {
    await world.register(...nested(depth, [gate, unit('pay')]));
    const outer = await world.start('outer');
    const inner = await innermostOf(outer);
    await world.asked(world.engine.runs.pause(outer));
    expect(await world.asked(world.engine.runs.resume({ ...inner, waitMs: 0 }))).toMatchObject({
      status: 'paused',
    });
    await world.asked(world.engine.runs.pause(outer));
    await world.asked(world.engine.gates.respond({ ...inner, approved: true, responder: 'ann' }));
    expect([await world.status(inner), world.called()]).toEqual(['paused', []]);
    world.answerAtOnce('pay');
    await world.asked(world.engine.runs.resume(outer));
    expect([await world.status(outer), world.called()]).toEqual(['completed', ['pay']]);
  });

  it('is paused as a whole once more after the innermost run was resumed by its own address', async () => {
    await world.register(...nested(depth, [gate, DAY, unit('last')]));
    world.answerAtOnce('last');
    const outer = await world.start('outer');
    const inner = await innermostOf(outer);
    await world.asked(world.engine.runs.pause(outer));
    await world.asked(world.engine.runs.resume({ ...inner, waitMs: 0 }));
    await world.asked(world.engine.runs.resume({ ...outer, waitMs: 0 }));
    await world.asked(world.engine.runs.pause(outer));
    await world.asked(world.engine.gates.respond({ ...inner, approved: true, responder: 'ann', waitMs: 0 }));
    await world.passes(2 * DAY_MS);
    expect([await world.status(inner), world.called()]).toEqual(['paused', []]);
    const resuming = world.engine.runs.resume({ ...outer, waitMs: 0 });
    await world.asked(resuming);
    await world.passes(2 * DAY_MS);
    expect([await world.status(outer), world.called()]).toEqual(['completed', ['last']]);
  });

  it('passes one pause of its author by one resume that is sent twice under one key', async () => {
    await world.register(
      ...nested(
        depth,
        [1, 2, 3].map((n) => unit(`u${n}`, { pause: 'before' })),
      ),
    );
    world.answerAtOnce('u1', 'u2', 'u3');
    const outer = await world.start('outer');
    const resume = () => world.engine.runs.resume({ ...outer, idempotencyKey: 'once' });
    const first = resume();
    await world.passes(12);
    await world.asked(Promise.all([first, resume()]));
    expect(world.called()).toEqual(['u1']);
    await world.asked(resume());
    expect(world.called()).toEqual(['u1']);
    await world.asked(world.engine.runs.resume({ ...outer, idempotencyKey: 'twice' }));
    expect(world.called()).toEqual(['u1', 'u2']);
  });

  it('passes one pause of its author by two resumes of one instant', async () => {
    await world.register(
      ...nested(
        depth,
        [1, 2].map((n) => unit(`u${n}`, { pause: 'before' })),
      ),
    );
    world.answerAtOnce('u1', 'u2');
    const outer = await world.start('outer');
    const first = world.engine.runs.resume(outer);
    await world.passes(12);
    await world.asked(Promise.all([first, world.engine.runs.resume(outer)]));
    expect(world.called()).toEqual(['u1']);
    await world.asked(world.engine.runs.resume(outer));
    expect(world.called()).toEqual(['u1', 'u2']);
  });

  it('passes one pause of its author by one key, whichever append the process dies with', async () => {
    for (let nth = 1; nth <= 5; nth++) {
      for (const isStored of [false, true]) {
        world = new World();
        await world.open();
        await world.register(
          ...nested(
            depth,
            [1, 2, 3].map((n) => unit(`u${n}`, { pause: 'before' })),
          ),
        );
        world.answerAtOnce('u1', 'u2', 'u3');
        const outer = await world.start('outer');
        let left = nth;
        world.crashAt({ isStored, isDueAt: () => --left === 0 });
        world.send(world.engine.runs.resume({ ...outer, idempotencyKey: 'once' }));
        await world.passes(INSTANT_MS + 1);
        await world.restart();
        await world.asked(world.engine.runs.resume({ ...outer, idempotencyKey: 'once' }));
        const story = `killed with append ${nth}, ${isStored ? 'stored' : 'not stored'}`;
        // What was being called when the process died is called again.
        expect([story, ...new Set(world.called())]).toEqual([story, 'u1']);
        await world.asked(world.engine.runs.resume({ ...outer, idempotencyKey: 'twice' }));
        expect([story, ...new Set(world.called())]).toEqual([story, 'u1', 'u2']);
      }
    }
  });
});

describe('a pause or resume of a parent', () => {
  const fan = (leaf: readonly object[]) => [
    inSequence('leaf', leaf),
    workflowYaml('fan', {
      units: [child('one', 'leaf')],
      flow: { type: 'foreach', items: '[0, 1, 2]', do: 'one', maxConcurrency: 3 },
    }),
  ];
  const statuses = async (runs: readonly Address[]) => Promise.all(runs.map(world.status));

  it('reaches all of its children though the process dies in between: all are paused, or none', async () => {
    for (let nth = 1; nth <= 6; nth++) {
      for (const isStored of [false, true]) {
        world = new World();
        await world.open();
        await world.register(...fan([DAY, unit('last')]));
        const run = await world.start('fan');
        let left = nth;
        world.crashAt({ isStored, isDueAt: () => --left === 0 });
        world.send(world.engine.runs.pause(run));
        await world.passes(INSTANT_MS + 1);
        await world.restart();
        await world.passes(GRACE_MS + 1);
        const story = `killed with append ${nth}, ${isStored ? 'stored' : 'not stored'}`;
        const found = new Set([await world.status(run), ...(await statuses(await world.childrenOf(run)))]);
        expect([story, found.size]).toEqual([story, 1]);
      }
    }
  });

  it('continues all of its children though the process dies in between, or none', async () => {
    for (let nth = 1; nth <= 6; nth++) {
      for (const isStored of [false, true]) {
        world = new World();
        await world.open();
        await world.register(...fan([unit('u1', { pause: 'before' }), unit('u2', { pause: 'before' })]));
        world.answerAtOnce('u1', 'u2');
        const run = await world.start('fan');
        let left = nth;
        world.crashAt({ isStored, isDueAt: () => --left === 0 });
        world.send(world.engine.runs.resume(run));
        await world.passes(INSTANT_MS + 1);
        await world.restart();
        await world.passes(GRACE_MS + 1);
        const story = `killed with append ${nth}, ${isStored ? 'stored' : 'not stored'}`;
        const callers = new Set(world.callsOf('u1').map(({ runId }) => runId));
        expect([story, [0, 3].includes(callers.size), world.callsOf('u2')]).toEqual([story, true, []]);
      }
    }
  });

  it('counts for a child whose own pause is still being stored when the resume arrives', async () => {
    const store = new BlockingStore();
    world = new World(store);
    await world.open();
    await world.register(...nested(1, [DAY, unit('last')]));
    world.answerAtOnce('last');
    const outer = await world.start('outer');
    const inner = await innermostOf(outer);
    store.isBlocked = ({ runId }) => runId === inner.runId;
    world.send(world.engine.runs.pause(outer));
    await world.passes(INSTANT_MS);
    world.send(world.engine.runs.resume(outer));
    await world.passes(2 * INSTANT_MS);
    store.unblock();
    await world.passes(DAY_MS);
    expect([await world.status(outer), await world.status(inner)]).toEqual(['completed', 'completed']);
  });

  it('counts for a child that is just being started', async () => {
    const store = new BlockingStore();
    world = new World(store);
    await world.open();
    await world.register(...nested(1, [unit('work')]));
    store.isBlocked = ({ row }) => row.parentRunId !== null;
    const outer = await world.start('outer');
    expect(store.blocked).toBe(1);
    world.send(world.engine.runs.pause(outer));
    await world.passes(INSTANT_MS);
    store.unblock();
    await world.passes(GRACE_MS + 1);
    const inner = await innermostOf(outer);
    expect([await world.status(outer), await world.status(inner)]).toEqual(['paused', 'paused']);
    expect(world.called().length).toBeLessThanOrEqual(1);
    const before = world.called().length;
    await world.passes(DAY_MS);
    expect(world.called()).toHaveLength(before);
    world.answerAtOnce('work');
    await world.asked(world.engine.runs.resume(outer));
    expect(await world.status(outer)).toBe('completed');
  });

  it('pauses what runs next to a gate in one child, and leaves the gate open', async () => {
    const flow = { type: 'parallel', units: ['gate', 'wait'] };
    await world.register(
      workflowYaml('inner', { units: [gate, DAY], flow }),
      inSequence('outer', [child('sub', 'inner')]),
    );
    const outer = await world.start('outer');
    const inner = await innermostOf(outer);
    await world.asked(world.engine.runs.pause(outer));
    expect(await world.engine.gates.open(outer)).toMatchObject([{ runId: inner.runId }]);
    await world.passes(2 * DAY_MS);
    expect(await world.engine.gates.open(outer)).toMatchObject([{ runId: inner.runId }]);
    expect(await world.status(inner)).toBe('paused');
  });
});

describe('a cancel of a parent', () => {
  it('ends a child that had continued detached before and is waited for again, though the process dies', async () => {
    await world.register(...nested(1, [unit('first'), unit('work'), gate]));
    world.answerAtOnce('first');
    const outer = await world.start('outer');
    const inner = await innermostOf(outer);
    world.callsOf('work')[0]!.fail(true);
    await world.settles();
    expect(await world.status(outer)).toBe('failed');
    world.answerAtOnce('work');
    await world.asked(world.engine.runs.resume(inner));
    expect(await world.status(inner)).toBe('paused');
    await world.asked(world.engine.runs.resume(outer));
    expect(await world.engine.gates.open(outer)).toMatchObject([{ runId: inner.runId }]);
    world.crashAt({ isStored: false, isDueAt: ({ runId }) => runId === inner.runId });
    world.send(world.engine.runs.cancel(outer));
    await world.passes(INSTANT_MS);
    expect(world.hasCrashed).toBe(true);
    await world.restart();
    await world.passes(GRACE_MS + 1);
    expect([await world.status(outer), await world.status(inner)]).toEqual(['failed', 'failed']);
    expect((await world.get(inner)).error).toContain('Cancelled');
  });
});

describe('the budget of a parent', () => {
  const used = (tokens: number) => () => ({ content: 'done', tokenUsage: { totalTokens: tokens } });
  const policy = (maxTokens: number, more: object = {}) => ({
    policy: { budget: { maxTokens, onExceed: 'fail' }, retry: { maxAttempts: 1 }, ...more },
  });

  it('is checked before a child run begins', async () => {
    await world.register(
      inSequence('inner', [unit('work')]),
      workflowYaml('outer', {
        units: [child('sub', 'inner')],
        flow: { type: 'loop', do: 'sub', maxIterations: 20, until: 'false' },
        ...policy(500),
      }),
    );
    world.atOnce.set('work', used(1_000));
    const outer = await world.start('outer');
    await world.passes(1_000);
    expect(await world.get(outer)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/budget/i),
    });
    expect(world.called()).toEqual(['work']);
  });

  it('is overshot by no more than one child where many could begin in parallel', async () => {
    await world.register(
      inSequence('inner', [unit('work')]),
      workflowYaml('outer', {
        units: [child('sub', 'inner')],
        flow: { type: 'foreach', items: '[0, 1, 2, 3, 4, 5, 6, 7]', do: 'sub', maxConcurrency: 8 },
        ...policy(500),
      }),
    );
    world.atOnce.set('work', used(400));
    const outer = await world.start('outer');
    await world.passes(1_000);
    expect(await world.status(outer)).toBe('failed');
    expect(world.called()).toHaveLength(2);
  });

  it('counts what a child has used when it waits at its gate, and counts it once', async () => {
    const flow = { type: 'parallel', units: ['sub', { type: 'sequential', order: ['own', 'after'] }] };
    const own = { id: 'own', uses: 'builtin.approval' };
    await world.register(
      inSequence('inner', [unit('work'), gate]),
      workflowYaml('outer', { units: [child('sub', 'inner'), own, unit('after')], flow, ...policy(500) }),
    );
    world.atOnce.set('work', used(600));
    world.answerAtOnce('after');
    const outer = await world.start('outer');
    const mine = (await world.engine.gates.open(outer)).find(({ unitId }) => unitId === 'own');
    const decision = { ...outer, gateId: mine!.gateId, approved: true, responder: 'ann' };
    await world.asked(world.engine.gates.respond({ ...decision, gateRunId: outer.runId, waitMs: 0 }));
    await world.passes(1_000);
    expect(world.called()).toEqual(['work']);
    expect(await world.get(outer)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/budget/i),
    });
  });

  it('leaves a child a lower budget of its own, also when the parent is resumed with more', async () => {
    await world.register(
      inSequence(
        'inner',
        ['u1', 'u2', 'u3', 'u4'].map((id) => unit(id)),
        policy(100),
      ),
      inSequence('outer', [child('sub', 'inner')]),
    );
    for (const id of ['u1', 'u2', 'u3', 'u4']) world.atOnce.set(id, used(60));
    const outer = await world.start('outer');
    await world.passes(1_000);
    expect([await world.status(outer), world.called()]).toEqual(['failed', ['u1', 'u2']]);
    await world.asked(world.engine.runs.resume({ ...outer, budget: { maxTokens: 100_000 } }));
    await world.passes(1_000);
    expect([await world.status(outer), world.called()]).toEqual(['failed', ['u1', 'u2']]);
    const inner = await innermostOf(outer);
    await world.asked(world.engine.runs.resume({ ...inner, budget: { maxTokens: 1_000 } }));
    expect([await world.status(inner), world.called()]).toEqual(['completed', ['u1', 'u2', 'u3', 'u4']]);
  });
});
