import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

const twoGates = inSequence('gates', [
  { id: 'first', uses: 'builtin.approval' },
  { id: 'second', uses: 'builtin.approval' },
]);

describe('a gate', () => {
  it('is passed once by four approvals at the same instant, and the next one stays open', async () => {
    const { engine } = await openEngine();
    await engine.workflows.register({ yaml: twoGates });
    const { runId } = await engine.runs.start({ workflowId: 'gates', sync: true });
    const approval = { workflowId: 'gates', runId, approved: true, responder: 'ann' };
    await Promise.all([1, 2, 3, 4].map(() => engine.gates.respond(approval)));
    const record = await engine.runs.get({ workflowId: 'gates', runId });
    expect(record.status).toBe('paused');
    expect(record.result?.completedUnits).toEqual(['first']);
  });

  it('writes its decision and lets the run end', async () => {
    const { engine, clock } = await openEngine();
    await engine.workflows.register({ yaml: twoGates });
    const { runId } = await engine.runs.start({ workflowId: 'gates', sync: true });
    await engine.gates.respond({
      workflowId: 'gates',
      runId,
      approved: true,
      responder: 'ann',
      comment: 'fine',
    });
    const record = await engine.gates.respond({
      workflowId: 'gates',
      runId,
      approved: true,
      responder: 'bob',
    });
    expect(record.status).toBe('completed');
    expect(record.result?.state).toEqual({
      'output.first': { approved: true, responder: 'ann', decidedAt: clock.now(), comment: 'fine' },
      'output.second': { approved: true, responder: 'bob', decidedAt: clock.now() },
      'hitl.approved': true,
      'hitl.responder': 'bob',
    });
  });

  it('fails the run when it is rejected, and opens again when the run is resumed', async () => {
    const { engine } = await openEngine();
    await engine.workflows.register({ yaml: twoGates });
    const { runId } = await engine.runs.start({ workflowId: 'gates', sync: true });
    const rejected = await engine.gates.respond({
      workflowId: 'gates',
      runId,
      approved: false,
      responder: 'ann',
    });
    expect(rejected).toMatchObject({ status: 'failed', error: 'Rejected by ann at gate first' });
    expect(rejected.result).toBeUndefined();
    const resumed = await engine.runs.resume({ workflowId: 'gates', runId });
    expect(resumed.status).toBe('paused');
    expect(resumed.error).toBeUndefined();
    const record = await engine.gates.respond({
      workflowId: 'gates',
      runId,
      approved: true,
      responder: 'bob',
    });
    expect(record.result?.completedUnits).toEqual(['first']);
  });

  it('lets a rejection pass when onReject is continue', async () => {
    const { engine } = await openEngine();
    const gate = { id: 'ask', uses: 'builtin.approval', config: { onReject: 'continue' } };
    await engine.workflows.register({ yaml: inSequence('soft', [gate]) });
    const { runId } = await engine.runs.start({ workflowId: 'soft', sync: true });
    const record = await engine.gates.respond({
      workflowId: 'soft',
      runId,
      approved: false,
      responder: 'ann',
    });
    expect(record.status).toBe('completed');
    expect(record.result?.completedUnits).toEqual(['ask']);
    expect(record.result?.state['hitl.approved']).toBe(false);
  });

  it('must be named when several are open, and leaves the others open', async () => {
    const { engine } = await openEngine();
    const units = ['a', 'b'].map((id) => ({ id, uses: 'builtin.approval', config: { title: `Gate ${id}` } }));
    await engine.workflows.register({
      yaml: workflowYaml('both', { units, flow: { type: 'parallel', units: ['a', 'b'] } }),
    });
    const { runId } = await engine.runs.start({ workflowId: 'both', sync: true });
    const answer = { workflowId: 'both', runId, approved: true, responder: 'ann' };
    const error = await engine.gates.respond(answer).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ambiguous-gate' });
    const [first, second] = (error as { details: { gateId: number; title: string }[] }).details;
    expect([first!.title, second!.title]).toEqual(['Gate a', 'Gate b']);
    expect(
      (await engine.gates.respond({ ...answer, gateId: second!.gateId })).result?.completedUnits,
    ).toEqual(['b']);
    expect((await engine.gates.respond(answer)).status).toBe('completed');
  });

  it('answers a decision for a run that is over with the record if it was decided the same way, else with an error', async () => {
    const { engine } = await openEngine();
    await engine.workflows.register({ yaml: inSequence('one', [{ id: 'ask', uses: 'builtin.approval' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'one', sync: true });
    const answer = { workflowId: 'one', runId, responder: 'ann' };
    await engine.gates.respond({ ...answer, approved: true });
    expect((await engine.gates.respond({ ...answer, approved: true })).status).toBe('completed');
    await expect(engine.gates.respond({ ...answer, approved: false })).rejects.toMatchObject({
      message: `Unknown run: ${runId}`,
      detail: expect.stringContaining('over'),
    });
  });
});

describe('a pause', () => {
  const paused = inSequence('paused', [
    { id: 'a', uses: 'work', pause: 'after' },
    { id: 'b', uses: 'work', pause: 'before' },
    { id: 'c', uses: 'work' },
  ]);

  it('is lifted once by four resumes at the same instant, and the next one stays', async () => {
    const calls: string[] = [];
    const { engine } = await openEngine({ work: ({ context }) => calls.push(context.unitId) });
    await engine.workflows.register({ yaml: paused });
    const { runId } = await engine.runs.start({ workflowId: 'paused', sync: true });
    await Promise.all([1, 2, 3, 4].map(() => engine.runs.resume({ workflowId: 'paused', runId })));
    const record = await engine.runs.get({ workflowId: 'paused', runId });
    expect(record.status).toBe('paused');
    expect(calls).toEqual(['a']);
    expect((await engine.runs.resume({ workflowId: 'paused', runId })).status).toBe('completed');
    expect(calls).toEqual(['a', 'b', 'c']);
  });

  it('adds nothing to the duration', async () => {
    const { engine, clock } = await openEngine({ work: () => 1 });
    await engine.workflows.register({ yaml: paused });
    const { runId } = await engine.runs.start({ workflowId: 'paused', sync: true });
    await clock.advance(3_600_000);
    await engine.runs.resume({ workflowId: 'paused', runId });
    const record = await engine.runs.resume({ workflowId: 'paused', runId });
    expect(record.result?.duration).toBe(0);
    expect(record.updatedAt - record.createdAt).toBe(3_600_000);
  });
});

describe('an older snapshot', () => {
  it('takes the run back, and the remaining steps execute again under new keys', async () => {
    const calls: string[] = [];
    const { engine } = await openEngine({
      work: ({ context }, { idempotencyKey }) => {
        calls.push(`${context.unitId} ${idempotencyKey}`);
        return { content: calls.length, tokenUsage: { totalTokens: 10 } };
      },
    });
    const units = ['a', 'b', 'c'].map((id) => ({ id, uses: 'work' }));
    await engine.workflows.register({ yaml: inSequence('steps', units) });
    const { runId } = await engine.runs.start({ workflowId: 'steps', sync: true });
    const address = { workflowId: 'steps', runId };
    const [afterA] = await engine.runs.snapshots(address);
    expect(afterA).toMatchObject({ unitId: 'a', after: 'unit-finished' });
    expect(await engine.runs.snapshot({ ...address, snapshotId: afterA!.snapshotId })).toMatchObject({
      completedUnits: ['a'],
      state: { 'output.a': 1 },
    });
    const record = await engine.runs.resume({ ...address, snapshotId: afterA!.snapshotId });
    expect(record.status).toBe('completed');
    expect(record.result?.state).toEqual({ 'output.a': 1, 'output.b': 4, 'output.c': 5 });
    expect(record.result?.tokenUsage).toBe(50);
    expect(calls.map((call) => call[0])).toEqual(['a', 'b', 'c', 'b', 'c']);
    expect(new Set(calls).size).toBe(5);
  });

  it('must be one of the run', async () => {
    const { engine } = await openEngine({ work: () => 1 });
    await engine.workflows.register({ yaml: inSequence('steps', [{ id: 'a', uses: 'work' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'steps', sync: true });
    for (const snapshotId of ['nonsense', `${runId}.1`, `${runId}.999`]) {
      await expect(engine.runs.resume({ workflowId: 'steps', runId, snapshotId })).rejects.toThrow(
        `No checkpoint found for run: ${runId}`,
      );
    }
    expect((await engine.runs.get({ workflowId: 'steps', runId })).status).toBe('completed');
  });
});
