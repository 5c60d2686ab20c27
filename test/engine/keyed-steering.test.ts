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

  it('stands for a decision that found no gate, and decides none that opens later', async () => {
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
});
