import { aWhile, DurableEngines, outcomeOf } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence } from '../support/engine.js';
import { runsStored } from '../support/runs-stored.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
const gate = (id: string) => ({ id, uses: 'builtin.approval', config: { title: id } });

/** An engine whose unit `work` records its calls. */
async function open(units: readonly object[], answer: (unitId: string) => unknown = (unitId) => unitId) {
  const calls: string[] = [];
  const opened = await engines.open(engines.folder(), {
    work: ({ context }) => {
      calls.push(`${context.unitId} ${context.attempt}`);
      return answer(context.unitId) as string;
    },
  });
  await opened.engine.workflows.register({ yaml: inSequence('w', units) });
  const address = (runId: string) => ({ workflowId: 'w', runId });
  const seen = async (runId: string) => ({
    record: await opened.engine.runs.get(address(runId)),
    messages: await opened.engine.runs.messages(address(runId)),
    snapshots: await opened.engine.runs.snapshots(address(runId)),
  });
  return { ...opened, calls, address, seen };
}

describe('while the store does not confirm a write', () => {
  it('a start is not answered, the run is unknown to everyone, and no unit is called', async () => {
    const { engine, store, calls, address } = await open([work('a')]);
    store.hold();
    const answers = [
      engine.runs.start({ workflowId: 'w' }),
      engine.runs.start({ workflowId: 'w', sync: true }),
    ];
    const outcomes = answers.map(outcomeOf);
    await until(() => store.heldBack === 2, 'both starts are held back');
    await aWhile();
    expect(outcomes).toEqual([{ isOpen: true }, { isOpen: true }]);
    expect(calls).toEqual([]);
    for (const { runId } of store.asked) {
      await expect(engine.runs.get(address(runId))).rejects.toThrow('Unknown run');
      await expect(engine.runs.messages(address(runId))).rejects.toThrow('Unknown run');
      await expect(engine.runs.snapshots(address(runId))).rejects.toThrow('Unknown run');
      await expect(engine.runs.resume(address(runId))).rejects.toThrow('Unknown run');
      await expect(
        engine.gates.respond({ ...address(runId), approved: true, responder: 'ann' }),
      ).rejects.toThrow('Unknown run');
    }
    expect(await runsStored(store)).toEqual([]);
    store.release();
    expect((await answers[0])?.status).toBe('running');
    expect((await answers[1])?.status).toBe('completed');
  });

  it('the output of a unit is in no record, message or snapshot, and the next unit is not called', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<string>();
    const { engine, store, calls, seen } = await open([work('a'), work('b')], (unitId) =>
      unitId === 'a' ? answered : unitId,
    );
    const { runId } = await engine.runs.start({ workflowId: 'w' });
    await until(() => calls.length === 1, 'the first unit is called');
    const before = await seen(runId);
    const waiting = engine.runs.start({ workflowId: 'w', sync: true });
    await until(() => calls.length === 2, 'another run has called its first unit');
    store.hold();
    answer('secret');
    await until(() => store.heldBack === 2, 'the outputs are held back');
    await aWhile();
    const outcome = outcomeOf(waiting);
    expect(await seen(runId)).toEqual(before);
    expect(JSON.stringify(await store.readAll({ afterPosition: 0, limit: 100 }))).not.toContain('secret');
    expect(calls).toEqual(['a 1', 'a 1']);
    expect(outcome.isOpen).toBe(true);
    store.release();
    expect((await waiting).result?.state).toEqual({ 'output.a': 'secret', 'output.b': 'b' });
    await until(async () => (await seen(runId)).record.status === 'completed', 'the first run completes');
    expect(calls).toEqual(['a 1', 'a 1', 'b 1', 'b 1']);
  });

  it('a decision is not answered, the gate stays open to all readers, and nothing follows from it', async () => {
    const { engine, store, calls, address, seen } = await open([gate('agree'), work('b')]);
    const { runId } = await engine.runs.start({ workflowId: 'w', sync: true });
    const before = await seen(runId);
    store.hold();
    const responding = engine.gates.respond({ ...address(runId), approved: true, responder: 'ann' });
    const outcome = outcomeOf(responding);
    await until(() => store.heldBack === 1, 'the decision is held back');
    await aWhile();
    expect(outcome.isOpen).toBe(true);
    expect(await seen(runId)).toEqual(before);
    expect(before.record.status).toBe('paused');
    expect(calls).toEqual([]);
    store.release();
    expect((await responding).status).toBe('completed');
  });

  it('a resume is not answered, and the run stays paused to all readers', async () => {
    const { engine, store, calls, address, seen } = await open([work('a', { pause: 'after' }), work('b')]);
    const { runId } = await engine.runs.start({ workflowId: 'w', sync: true });
    const before = await seen(runId);
    store.hold();
    const resuming = engine.runs.resume(address(runId));
    const outcome = outcomeOf(resuming);
    await until(() => store.heldBack === 1, 'the resume is held back');
    await aWhile();
    expect(outcome.isOpen).toBe(true);
    expect(await seen(runId)).toEqual(before);
    expect(calls).toEqual(['a 1']);
    store.release();
    expect((await resuming).status).toBe('completed');
  });

  it('a rewind is not answered, and the run stays as it was', async () => {
    const { engine, store, calls, address, seen } = await open([work('a'), work('b')]);
    const { runId } = await engine.runs.start({ workflowId: 'w', sync: true });
    const before = await seen(runId);
    store.hold();
    const rewinding = engine.runs.resume({ ...address(runId), snapshotId: before.snapshots[0]!.snapshotId });
    const outcome = outcomeOf(rewinding);
    await until(() => store.heldBack === 1, 'the rewind is held back');
    await aWhile();
    expect(outcome.isOpen).toBe(true);
    expect(await seen(runId)).toEqual(before);
    store.release();
    expect((await rewinding).status).toBe('completed');
    expect(calls).toEqual(['a 1', 'b 1', 'b 1']);
  });

  it('a retry that it does not know of yet is not made, however late it is', async () => {
    let isBroken = true;
    const opened = await open([work('a')], () => {
      if (!isBroken) return 'mended';
      opened.store.hold();
      throw new Error('broken');
    });
    const { engine, store, clock, calls } = opened;
    const running = engine.runs.start({ workflowId: 'w', sync: true });
    await until(() => store.heldBack === 1, 'the failed attempt is held back');
    isBroken = false;
    await clock.advance(3_600_000);
    await aWhile();
    expect(calls).toEqual(['a 1']);
    store.release();
    await until(() => store.heldBack === 0, 'the failed attempt is stored');
    await aWhile();
    await clock.advance(3_600_000);
    expect((await running).status).toBe('completed');
    expect(calls).toEqual(['a 1', 'a 2']);
  });
});
