import { inSequence, openEngine } from '../support/engine.js';

describe('a key on resume and hitl', () => {
  it('rewinds once, however many requests with it arrive at the same instant', async () => {
    const calls: string[] = [];
    const { engine } = await openEngine({ work: ({ context }) => calls.push(context.unitId) });
    const units = ['a', 'b', 'c'].map((id) => ({ id, uses: 'work' }));
    await engine.workflows.register({ yaml: inSequence('steps', units) });
    const { runId } = await engine.runs.start({ workflowId: 'steps', sync: true });
    const address = { workflowId: 'steps', runId };
    const [first] = await engine.runs.snapshots(address);
    const request = { ...address, snapshotId: first!.snapshotId, idempotencyKey: 'back' };
    const records = await Promise.all([1, 2, 3].map(() => engine.runs.resume(request)));
    await engine.runs.resume(request);
    expect(records.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(calls).toEqual(['a', 'b', 'c', 'b', 'c']);
  });

  it('identifies a decision that found no gate, and decides none that opens later', async () => {
    const { engine } = await openEngine({ work: () => 1 });
    const units = [
      { id: 'a', uses: 'work', pause: 'after' },
      { id: 'gate', uses: 'builtin.approval' },
    ];
    await engine.workflows.register({ yaml: inSequence('late', units) });
    const { runId } = await engine.runs.start({ workflowId: 'late', sync: true });
    const address = { workflowId: 'late', runId };
    const early = { ...address, approved: true, responder: 'ann', idempotencyKey: 'early' };
    expect((await engine.gates.respond(early)).status).toBe('paused');
    await engine.runs.resume(address);
    const repeated = await engine.gates.respond(early);
    expect(repeated.status).toBe('paused');
    expect(repeated.result?.completedUnits).toEqual(['a']);
    expect((await engine.gates.respond({ ...early, idempotencyKey: 'late' })).status).toBe('completed');
  });

  /** Two gates, one after the other; the first is open. */
  async function twoGates() {
    const { engine } = await openEngine();
    const units = ['first', 'second'].map((id) => ({ id, uses: 'builtin.approval' }));
    await engine.workflows.register({ yaml: inSequence('gates', units) });
    const { runId } = await engine.runs.start({ workflowId: 'gates', sync: true });
    return { engine, address: { workflowId: 'gates', runId } };
  }

  it('identifies a decision that lost against another, and passes no gate that its sender never saw', async () => {
    const { engine, address } = await twoGates();
    const ann = { ...address, approved: true, responder: 'ann', idempotencyKey: 'key-of-ann' };
    const bob = { ...address, approved: true, responder: 'bob', idempotencyKey: 'key-of-bob' };
    const answers = await Promise.all([engine.gates.respond(ann), engine.gates.respond(bob)]);
    expect(answers.map(({ result }) => result?.completedUnits)).toEqual([['first'], ['first']]);
    const again = await Promise.all([engine.gates.respond(ann), engine.gates.respond(bob)]);
    expect(again.map(({ status, result }) => [status, result?.completedUnits])).toEqual([
      ['paused', ['first']],
      ['paused', ['first']],
    ]);
  });

  it('identifies a resume that lost against another, and lifts no later pause', async () => {
    const { engine } = await openEngine({ work: () => 1 });
    const units = ['a', 'b', 'c'].map((id) => ({ id, uses: 'work', pause: 'after' }));
    await engine.workflows.register({ yaml: inSequence('pauses', units) });
    const { runId } = await engine.runs.start({ workflowId: 'pauses', sync: true });
    const request = (idempotencyKey: string) => ({ workflowId: 'pauses', runId, idempotencyKey });
    await Promise.all([engine.runs.resume(request('one')), engine.runs.resume(request('two'))]);
    const again = await Promise.all([engine.runs.resume(request('one')), engine.runs.resume(request('two'))]);
    expect(again.map(({ result }) => result?.completedUnits)).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('is kept when the run is over by the time its decision arrives, so that a rewind does not revive it', async () => {
    const { engine } = await openEngine();
    await engine.workflows.register({ yaml: inSequence('one', [{ id: 'gate', uses: 'builtin.approval' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'one', sync: true });
    const address = { workflowId: 'one', runId };
    const [opened] = await engine.runs.snapshots(address);
    const late = { ...address, approved: true, responder: 'bob', idempotencyKey: 'late' };
    await engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    const { updatedAt } = await engine.runs.get(address);
    expect((await engine.gates.respond(late)).status).toBe('completed');
    expect((await engine.runs.get(address)).updatedAt).toBe(updatedAt);
    await engine.runs.resume({ ...address, snapshotId: opened!.snapshotId });
    expect((await engine.gates.respond(late)).status).toBe('paused');
  });

  it('is not kept for a request that was refused', async () => {
    const { engine, address } = await twoGates();
    const key = { responder: 'ann', approved: true, idempotencyKey: 'again' };
    await expect(engine.gates.respond({ ...address, ...key, gateId: 99 })).rejects.toThrow('no gate 99');
    expect((await engine.gates.respond({ ...address, ...key })).result?.completedUnits).toEqual(['first']);
  });

  it('with opposite contents at the same instant is carried out once, and the other is refused', async () => {
    const { engine, address } = await twoGates();
    const key = { ...address, responder: 'ann', idempotencyKey: 'k' };
    const answers = await Promise.allSettled([
      engine.gates.respond({ ...key, approved: true }),
      engine.gates.respond({ ...key, approved: false }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect((answers[1] as PromiseRejectedResult).reason).toMatchObject({ code: 'idempotency-conflict' });
  });
});
