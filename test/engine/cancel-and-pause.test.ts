import type { Engine, RunRecord, UnitHandler } from '../../src/engine/index.js';
import { DurableEngines } from '../support/durability-engine.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';
import { startUnitServer } from '../support/unit-server.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

/** Resolves once it was called; answers when the test releases it, or as `onSignal` says when its signal fires. */
function hanging(onSignal: 'answers' | 'throws' | 'goes on' = 'goes on') {
  const called = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<unknown>();
  const calls: string[] = [];
  const handler: UnitHandler = (_request, { signal, idempotencyKey }) => {
    calls.push(idempotencyKey);
    signal.addEventListener('abort', () => {
      if (onSignal === 'answers') answer.resolve('cut short');
      if (onSignal === 'throws') answer.reject(new Error('I was told to stop'));
    });
    called.resolve();
    return answer.promise;
  };
  return { handler, called: called.promise, calls, answer: (value: unknown) => answer.resolve(value) };
}

const typesOf = (record: RunRecord): readonly string[] =>
  (record.result?.messages ?? []).map(({ type }) => type);

/** Resolves once the run has a message of that type. */
async function says(engine: Engine, workflowId: string, runId: string, type: string): Promise<void> {
  for (;;) {
    const { messages } = await engine.runs.messages({ workflowId, runId });
    if (messages.some((message) => message.type === type)) return;
    await new Promise(setImmediate);
  }
}

const TWO = (more: object = {}) =>
  inSequence(
    'two',
    [
      { id: 'a', uses: 'acme.a' },
      { id: 'b', uses: 'acme.b' },
    ],
    more,
  );

describe('a run that is cancelled', () => {
  it('signals its unit, records the outcome, and calls nothing more', async () => {
    const a = hanging('answers');
    let calls = 0;
    const { engine } = await openEngine({ 'acme.a': a.handler, 'acme.b': () => (calls += 1) });
    await engine.workflows.register({ yaml: TWO() });
    const { runId } = await engine.runs.start({ workflowId: 'two' });
    await a.called;
    const record = await engine.runs.cancel({ workflowId: 'two', runId });
    expect(record).toMatchObject({ status: 'failed', error: 'Cancelled by user' });
    const { messages } = await engine.runs.messages({ workflowId: 'two', runId });
    expect(messages).toContainEqual(expect.objectContaining({ type: 'unit-output', data: 'cut short' }));
    expect(calls).toBe(0);
    expect(await engine.runs.cancel({ workflowId: 'two', runId })).toEqual(record);
    await engine.close();
  });

  it('does not retry a unit that gives up because of the signal', async () => {
    const a = hanging('throws');
    const { engine } = await openEngine({ 'acme.a': a.handler, 'acme.b': () => 1 });
    await engine.workflows.register({ yaml: TWO() });
    const { runId } = await engine.runs.start({ workflowId: 'two' });
    await a.called;
    expect(await engine.runs.cancel({ workflowId: 'two', runId })).toMatchObject({ status: 'failed' });
    expect(a.calls).toHaveLength(1);
    await engine.close();
  });

  it('gives an endpoint its time to respond, and aborts the call after it', async () => {
    const server = await startUnitServer(() => new Promise(() => undefined));
    const { engine, clock } = await openEngine();
    await engine.workflows.register({
      yaml: inSequence('remote', [{ id: 'a', uses: 'acme.a' }]),
      bindings: { 'acme.a': { type: 'http', endpoint: server.url } },
    });
    const { runId } = await engine.runs.start({ workflowId: 'remote' });
    await server.received(1);
    const cancelled = engine.runs.cancel({ workflowId: 'remote', runId });
    await says(engine, 'remote', runId, 'cancel-requested');
    expect((await engine.runs.get({ workflowId: 'remote', runId })).status).toBe('running');
    expect(server.openConnections).toBe(1);
    await clock.advance(5_000);
    expect(await cancelled).toMatchObject({ status: 'failed', error: 'Cancelled by user' });
    await server.disconnected();
    await engine.close();
    await server.close();
  });

  it('runs its clean-up, also when the process died in the middle of it', async () => {
    const folder = engines.folder();
    const refund = hanging();
    const yaml = workflowYaml('pays', {
      units: ['pay', 'refund', 'tell'].map((id) => ({ id, uses: `acme.${id}` })),
      flow: { type: 'sequential', order: ['pay', { type: 'loop', do: 'pay', maxIterations: 2 }] },
      onCancel: ['refund', 'tell'],
    });
    const pay = hanging();
    const first = await engines.open(folder, {
      'acme.pay': (request, context) =>
        context.idempotencyKey.endsWith(':2') ? 'paid' : pay.handler(request, context),
      'acme.refund': refund.handler,
      'acme.tell': () => 1,
    });
    await first.engine.workflows.register({ yaml });
    const { runId } = await first.engine.runs.start({ workflowId: 'pays' });
    await pay.called;
    void first.engine.runs.cancel({ workflowId: 'pays', runId }).catch(() => undefined);
    pay.answer('paid twice');
    await refund.called;
    const told: unknown[] = [];
    const second = await engines.open(engines.afterCrash(folder), {
      'acme.pay': () => 'never',
      'acme.refund': (request, { idempotencyKey }) => told.push(idempotencyKey, request.state['output.pay']),
      'acme.tell': () => told.push('told'),
    });
    const record = await second.engine.runs.cancel({ workflowId: 'pays', runId });
    expect(record).toMatchObject({ status: 'failed', error: 'Cancelled by user' });
    expect(told).toEqual([refund.calls[0], 'paid twice', 'told']);
  });

  it('ends what waits for days, and its timer never fires', async () => {
    const { engine, clock } = await openEngine();
    const wait = { id: 'wait', uses: 'builtin.wait', config: { duration: 'P2D' } };
    await engine.workflows.register({ yaml: inSequence('waits', [wait]) });
    const { runId } = await engine.runs.start({ workflowId: 'waits' });
    const by = { id: 'ann', owner: null, via: 'http', auth: 'none' } as const;
    const record = await engine.runs.cancel({ workflowId: 'waits', runId, by });
    expect(record).toMatchObject({ status: 'failed', error: 'Cancelled by ann' });
    await clock.advance(3 * 86_400_000);
    expect(await engine.runs.get({ workflowId: 'waits', runId })).toEqual(record);
    await engine.close();
  });

  it('keeps the key of the request, and refuses it for another request', async () => {
    const { engine } = await openEngine();
    await engine.workflows.register({ yaml: inSequence('asks', [{ id: 'ask', uses: 'builtin.approval' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'asks', sync: true });
    const address = { workflowId: 'asks', runId, idempotencyKey: 'k' };
    const record = await engine.runs.cancel(address);
    expect(await engine.runs.cancel(address)).toEqual(record);
    const by = { id: 'bob', owner: null, via: 'http', auth: 'none' } as const;
    await expect(engine.runs.cancel({ ...address, by })).rejects.toMatchObject({
      code: 'idempotency-conflict',
    });
    await engine.close();
  });

  it('is not a run of another workflow', async () => {
    const { engine } = await openEngine();
    await expect(engine.runs.cancel({ workflowId: 'x', runId: 'y' })).rejects.toMatchObject({
      code: 'unknown-run',
    });
    await engine.close();
  });
});

describe('a run that is paused on request', () => {
  it('waits for its unit, pauses, and continues when it is resumed', async () => {
    const a = hanging('throws');
    const { engine } = await openEngine({ 'acme.a': a.handler, 'acme.b': () => 'b' });
    await engine.workflows.register({ yaml: TWO() });
    const { runId } = await engine.runs.start({ workflowId: 'two' });
    await a.called;
    const pausing = engine.runs.pause({ workflowId: 'two', runId });
    await says(engine, 'two', runId, 'run-paused');
    a.answer('a');
    const paused = await pausing;
    expect([paused.status, paused.result?.completedUnits]).toEqual(['paused', ['a']]);
    expect(typesOf(paused)).toContain('run-paused');
    const resumed = await engine.runs.resume({ workflowId: 'two', runId });
    expect([resumed.status, resumed.result?.completedUnits]).toEqual(['completed', ['a', 'b']]);
    await engine.close();
  });

  it('calls again, under the same key, what took longer than it was given', async () => {
    const a = hanging();
    const { engine, clock } = await openEngine({ 'acme.a': a.handler, 'acme.b': () => 'b' });
    await engine.workflows.register({ yaml: TWO() });
    const { runId } = await engine.runs.start({ workflowId: 'two' });
    await a.called;
    const pausing = engine.runs.pause({ workflowId: 'two', runId });
    await says(engine, 'two', runId, 'run-paused');
    await clock.advance(5_000);
    expect((await pausing).status).toBe('paused');
    a.answer('a');
    expect((await engine.runs.resume({ workflowId: 'two', runId })).status).toBe('completed');
    expect(new Set(a.calls).size).toBe(1);
    expect(a.calls).toHaveLength(2);
    await engine.close();
  });

  it('does not count the time towards what its workflow may take, and fires its timer when it continues', async () => {
    const { engine, clock } = await openEngine();
    const wait = { id: 'wait', uses: 'builtin.wait', config: { durationMs: 1_000 } };
    const policy = { timeout: { workflowMs: 60_000 } };
    await engine.workflows.register({ yaml: inSequence('waits', [wait], { policy }) });
    const { runId } = await engine.runs.start({ workflowId: 'waits' });
    await engine.runs.pause({ workflowId: 'waits', runId });
    await clock.advance(3_600_000);
    expect((await engine.runs.get({ workflowId: 'waits', runId })).status).toBe('paused');
    const resuming = engine.runs.resume({ workflowId: 'waits', runId });
    await says(engine, 'waits', runId, 'run-paused');
    await clock.advance(1);
    expect((await resuming).status).toBe('completed');
    await engine.close();
  });
});
