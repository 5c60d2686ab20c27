import type { Engine } from '../../src/engine/index.js';
import { until } from '../support/eventually.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

const child = (id: string, workflowId: string) => ({ id, uses: 'builtin.workflow', config: { workflowId } });
const gate = { id: 'gate', uses: 'builtin.approval', config: { title: 'Go on?' } };
const DAY = { id: 'wait', uses: 'builtin.wait', config: { duration: 'P1D' } };

/** `outer` waits for `middle`, which waits for `inner`. */
const nested = (innermost: readonly object[]): readonly string[] => [
  inSequence('inner', innermost),
  inSequence('middle', [child('inside', 'inner')]),
  inSequence('outer', [child('sub', 'middle')]),
];

describe('by the address of a run', () => {
  let engine: Engine;

  const open = async (documents: readonly string[], units: Parameters<typeof openEngine>[0] = {}) => {
    const opened = await openEngine(units);
    engine = opened.engine;
    for (const yaml of documents) await engine.workflows.register({ yaml });
    return opened;
  };
  const started = async (workflowId: string) => {
    const { runId } = await engine.runs.start({ workflowId });
    return { workflowId, runId };
  };
  const statusOf = async (address: { workflowId: string; runId: string }) =>
    (await engine.runs.get(address)).status;
  const gateIsOpen = (address: { workflowId: string; runId: string }, count = 1) =>
    until(async () => (await engine.gates.open(address)).length === count, `${count} gates are open`);
  /** Waits until the run is paused: parents are notified after their child has paused. */
  const isPaused = (address: { workflowId: string; runId: string }) =>
    until(async () => (await statusOf(address)) === 'paused', 'the run stands still');
  /** Every run that began with this one; one that is about to begin has no messages yet. */
  const familyOf = async (address: { workflowId: string; runId: string }) => {
    const found = [address];
    for (const { workflowId, runId } of found) {
      const page = await engine.runs.messages({ workflowId, runId }).catch(() => null);
      for (const message of page?.messages ?? []) {
        if (message.type === 'child-started') {
          found.push({ workflowId: message.workflowId, runId: message.childRunId });
        }
      }
    }
    return found;
  };

  afterEach(() => engine.close());

  it('a decision reaches the one gate of a child of its child, and answers with the run as it is then', async () => {
    await open(nested([gate, { ...gate, id: 'second' }, { id: 'last', uses: 'builtin.mock' }]));
    const outer = await started('outer');
    await gateIsOpen(outer);
    const decide = (more: object = {}) =>
      engine.gates.respond({ ...outer, approved: true, responder: 'ann', ...more });
    const [asked] = await engine.gates.open(outer);
    const inner = (await familyOf(outer))[2]!;
    expect(asked).toMatchObject({ unitId: 'gate', title: 'Go on?', ...inner });
    await isPaused(outer);
    const { gateId } = asked!;
    await expect(decide({ gateId })).rejects.toMatchObject({
      code: 'ambiguous-gate',
      details: [{ gateId, runId: inner.runId }],
    });
    expect((await decide({ gateId, gateRunId: inner.runId })).status).toBe('paused');
    expect(await engine.gates.open(outer)).toMatchObject([{ unitId: 'second' }]);
    const done = await decide();
    expect(done).toMatchObject({ status: 'completed', runId: outer.runId });
  });

  it('a decision under a key is carried out once, and the key belongs to the run that was addressed', async () => {
    await open(nested([gate, { ...gate, id: 'second' }]));
    const outer = await started('outer');
    await gateIsOpen(outer);
    const decide = () =>
      engine.gates.respond({ ...outer, approved: true, responder: 'ann', idempotencyKey: 'once' });
    await decide();
    await decide();
    expect(await engine.gates.open(outer)).toMatchObject([{ unitId: 'second' }]);
    const other = { ...outer, approved: false, responder: 'bob', idempotencyKey: 'once' };
    await expect(engine.gates.respond(other)).rejects.toMatchObject({ code: 'idempotency-conflict' });
  });

  it('a decision is refused where several gates are open, and the error names the run of each', async () => {
    const flow = { type: 'parallel', units: ['a', 'b', 'gate'] };
    await open([
      inSequence('inner', [gate]),
      workflowYaml('outer', { units: [child('a', 'inner'), child('b', 'inner'), gate], flow }),
    ]);
    const outer = await started('outer');
    await gateIsOpen(outer, 3);
    const [, first, second] = await familyOf(outer);
    const refused = engine.gates.respond({ ...outer, approved: true, responder: 'ann' });
    const error = (await refused.catch((fault: unknown) => fault)) as { code: string; details: object[] };
    expect(error.code).toBe('ambiguous-gate');
    expect(error.details.map((detail) => 'runId' in detail && detail.runId)).toEqual(
      expect.arrayContaining([false, first!.runId, second!.runId]),
    );
    await engine.gates.respond({ ...first!, approved: true, responder: 'ann' });
    await engine.gates.respond({ ...second!, approved: true, responder: 'ann' });
    const done = await engine.gates.respond({ ...outer, approved: true, responder: 'ann' });
    expect(done.status).toBe('completed');
  });

  it('a resume lifts the pauses of its children and of theirs', async () => {
    const { clock } = await open(nested([{ id: 'stop', uses: 'builtin.mock', pause: 'before' }, DAY]));
    const outer = await started('outer');
    await isPaused(outer);
    const resuming = engine.runs.resume({ ...outer, waitMs: 1_000 });
    await until(async () => (await statusOf(outer)) === 'running', 'the run goes on');
    await clock.advance(86_400_001);
    await resuming;
    await until(async () => (await statusOf(outer)) === 'completed', 'the run completes');
  });

  it('a pause pauses all of it, and a resume continues all of it', async () => {
    const { clock } = await open(nested([DAY, { id: 'last', uses: 'builtin.mock' }]));
    const outer = await started('outer');
    await until(async () => (await familyOf(outer)).length === 3, 'the innermost run has begun');
    expect((await engine.runs.pause(outer)).status).toBe('paused');
    for (const run of await familyOf(outer)) expect(await statusOf(run)).toBe('paused');
    await clock.advance(86_400_001);
    for (const run of await familyOf(outer)) expect(await statusOf(run)).toBe('paused');
    const resuming = engine.runs.resume(outer);
    await until(async () => (await statusOf(outer)) !== 'paused', 'the run goes on');
    await clock.advance(1);
    expect((await resuming).status).toBe('completed');
  });

  it('a cancel ends all of it', async () => {
    await open(nested([DAY]));
    const outer = await started('outer');
    await until(async () => (await familyOf(outer)).length === 3, 'the innermost run has begun');
    expect(await engine.runs.cancel(outer)).toMatchObject({ status: 'failed', error: 'Cancelled by user' });
    for (const run of await familyOf(outer)) {
      await until(async () => (await statusOf(run)) === 'failed', `${run.workflowId} ends`);
    }
  });

  it('a rewind cancels the children that it overtakes, and begins others', async () => {
    await open([
      inSequence('inner', [gate]),
      inSequence('outer', [{ id: 'first', uses: 'builtin.mock' }, child('sub', 'inner')]),
    ]);
    const outer = await started('outer');
    await gateIsOpen(outer);
    const before = (await familyOf(outer))[1]!;
    const snapshotId = (await engine.runs.snapshots(outer))[0]!.snapshotId;
    await engine.runs.resume({ ...outer, snapshotId });
    await until(async () => (await statusOf(before)) === 'failed', 'the first child is cancelled');
    await gateIsOpen(outer);
    expect((await engine.gates.open(outer))[0]?.runId).not.toBe(before.runId);
    expect((await engine.gates.respond({ ...outer, approved: true, responder: 'ann' })).status).toBe(
      'completed',
    );
  });

  it('a child that is cancelled by its own address fails its unit; resumed, the run begins another one', async () => {
    await open(nested([gate]));
    const outer = await started('outer');
    await gateIsOpen(outer);
    const [, middle] = await familyOf(outer);
    await engine.runs.cancel(middle!);
    await until(async () => (await statusOf(outer)) === 'failed', 'the run fails');
    expect((await engine.runs.get(outer)).error).toContain('was cancelled: Cancelled by user');
    await engine.runs.resume({ ...outer, waitMs: 50 });
    await gateIsOpen(outer);
    expect((await engine.gates.respond({ ...outer, approved: true, responder: 'ann' })).status).toBe(
      'completed',
    );
  });

  it('a suspended parent records how its child ended, and continues with it once it is resumed', async () => {
    await open([
      inSequence('inner', [gate]),
      inSequence('outer', [child('sub', 'inner'), { ...gate, id: 'last' }]),
    ]);
    const outer = await started('outer');
    await gateIsOpen(outer);
    const [, inner] = await familyOf(outer);
    await engine.runs.pause(outer);
    // It is paused with its parent until it is resumed by its own address.
    await engine.runs.resume({ ...inner!, waitMs: 50 });
    await engine.gates.respond({ ...inner!, approved: true, responder: 'ann' });
    const endsOf = async () =>
      (await engine.runs.messages(outer)).messages.filter(({ type }) => type === 'child-ended').length;
    await until(async () => (await endsOf()) === 1, 'the parent knows of the end');
    expect(await engine.gates.open(outer)).toEqual([]);
    await engine.runs.resume(outer);
    expect(await engine.gates.open(outer)).toMatchObject([{ unitId: 'last' }]);
  });

  it('who started the run is also who started its children', async () => {
    await open(nested([gate]));
    const by = { id: 'agent', owner: 'agent', via: 'mcp', auth: 'host' } as const;
    const { runId } = await engine.runs.start({ workflowId: 'outer', by });
    const outer = { workflowId: 'outer', runId };
    await gateIsOpen(outer);
    for (const run of await familyOf(outer)) expect(await engine.runs.startedBy(run)).toEqual(by);
  });

  it('a child that is retried by its own address after its parent was notified leaves the parent as it was', async () => {
    const state = { isMended: false };
    const work = () => {
      if (!state.isMended) throw Object.assign(new Error('broken'), { retryable: false });
      return 'done';
    };
    const flow = { type: 'parallel', units: ['sub', 'gate'], failureStrategy: 'best-effort' };
    await open(
      [
        inSequence('inner', [{ id: 'before', uses: 'builtin.mock' }, { id: 'work', uses: 'work' }, gate]),
        workflowYaml('outer', { units: [child('sub', 'inner'), gate], flow }),
      ],
      { work },
    );
    const outer = await started('outer');
    await gateIsOpen(outer);
    const [, inner] = await familyOf(outer);
    await until(async () => {
      const { messages } = await engine.runs.messages(outer);
      return messages.some(({ type }) => type === 'child-ended');
    }, 'the parent is told that the child failed');
    state.isMended = true;
    expect((await engine.runs.resume(inner!)).status).toBe('paused');
    await engine.gates.respond({ ...outer, approved: true, responder: 'ann', gateId: null });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([await statusOf(outer), await statusOf(inner!)]).toEqual(['completed', 'paused']);
  });
});
