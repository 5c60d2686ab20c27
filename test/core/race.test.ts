import { encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { recordedState } from '../../src/engine/core/state/view/state-view.js';
import { pending } from '../../src/engine/core/pending.js';
import { statusOf } from '../../src/engine/core/state/status.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document, gate } from '../support/workflow-documents.js';

const work = (id: string) => ({ id, uses: 'work', policyOverrides: { retry: { maxAttempts: 1 } } });
const wait = (id: string, ms: number) => ({ id, uses: 'builtin.wait', config: { durationMs: ms } });

function started(units: readonly object[], flow: object): SimulatedRun {
  return new SimulatedRun(compileText(document('w', units, { flow })));
}

const called = (run: SimulatedRun): readonly string[] =>
  pending(run.state).flatMap((command) =>
    command.type === 'execute-unit' ? [command.execution.unitId] : [],
  );

function call(run: SimulatedRun, unitId: string) {
  for (const command of pending(run.state)) {
    if (command.type !== 'execute-unit' || command.execution.unitId !== unitId) continue;
    return { executionId: command.execution.id, attempt: command.execution.attempt };
  }
  throw new Error(`${unitId} is not being called.`);
}

function answer(run: SimulatedRun, unitId: string): void {
  const rest = { output: unitId, patch: null, usage: null, metadata: null };
  run.send({ type: 'unit-finished', at: 1_500, ...call(run, unitId), ...rest });
}

function fail(run: SimulatedRun, unitId: string): void {
  const rest = { error: 'no', retryable: false, outcome: 'refused', retryAfterMs: null } as const;
  run.send({ type: 'unit-attempt-failed', at: 1_500, ...call(run, unitId), ...rest });
}

describe('a race', () => {
  const units = [work('a'), work('b'), work('c'), work('next')];
  const race = { type: 'race', units: [{ type: 'sequential', order: ['a', 'c'] }, 'b'], winner: 'how' };
  const flow = { type: 'sequential', order: [race, 'next'] };

  it('keeps what the first branch that ends has written, and nothing of the others', () => {
    const run = started(units, flow);
    answer(run, 'a');
    answer(run, 'b');
    expect(called(run)).toEqual(['next']);
    expect(recordedState(run.state)).toMatchObject({ 'output.b': 'b', how: { index: 1, unitId: 'b' } });
    expect(recordedState(run.state)).not.toHaveProperty('output.a');
    answer(run, 'next');
    expect([statusOf(run.state), run.state.scopes.size, run.state.forks.size]).toEqual(['completed', 1, 0]);
  });

  const lost = {
    type: 'race',
    units: [
      { type: 'sequential', order: ['a', 'c'] },
      { type: 'sequential', order: ['b', 'd'] },
    ],
  };
  const losing = [work('a'), work('b'), work('c'), work('d'), work('next'), work('close')];

  it.each<[string, object]>([
    ['is caught', { type: 'try', do: lost, catch: 'next' }],
    [
      'is caught after a finally',
      { type: 'try', do: { type: 'try', do: lost, finally: 'close' }, catch: 'next' },
    ],
    [
      'is caught outside of a parallel',
      { type: 'try', do: { type: 'parallel', units: [lost] }, catch: 'next' },
    ],
    ['is caught in a race around it', { type: 'race', units: [{ type: 'try', do: lost, catch: 'next' }] }],
  ])('keeps of the branch that failed alone what it has written, where that %s', (_how, tried) => {
    const run = started(losing, tried);
    answer(run, 'a');
    answer(run, 'b');
    fail(run, 'd');
    if (called(run).includes('close')) answer(run, 'close');
    expect(called(run)).toEqual(['next']);
    expect(recordedState(run.state)).toMatchObject({ 'output.b': 'b' });
    expect(recordedState(run.state)).not.toHaveProperty('output.a');
    const { state } = run;
    expect(encodeState(run.fold())).toEqual(encodeState(state));
    answer(run, 'next');
    expect([statusOf(run.state), run.state.scopes.size, run.state.forks.size]).toEqual(['completed', 1, 0]);
  });

  it('keeps what another branch has written that comes first once the failed run is resumed', () => {
    const caughtLater = { type: 'try', do: { type: 'sequential', order: [lost, 'next'] }, catch: 'close' };
    const run = started(losing, { type: 'sequential', order: [lost, caughtLater] });
    answer(run, 'a');
    fail(run, 'b');
    run.send({ type: 'resume', at: 2_000, pauseId: null, by: ANN });
    answer(run, 'c');
    expect(recordedState(run.state)).toMatchObject({ 'output.a': 'a', 'output.c': 'c' });
  });

  it('fails with the first branch that ends, and takes that one up again when the run is resumed', () => {
    const run = started(units, flow);
    fail(run, 'b');
    expect([statusOf(run.state), run.state.error]).toEqual([
      'failed',
      'Unit b failed after 1 attempt(s): no',
    ]);
    run.send({ type: 'resume', at: 2_000, pauseId: null, by: ANN });
    expect(called(run)).toEqual(['a', 'b']);
    answer(run, 'b');
    expect(called(run)).toEqual(['next']);
  });

  it('is decided by the first declared of those that end at one instant', () => {
    const run = started([wait('x', 50), wait('y', 50), work('next')], {
      type: 'sequential',
      order: [{ type: 'race', units: ['y', 'x'], winner: 'how' }, 'next'],
    });
    run.send({ type: 'timer-due', at: 5_000 });
    expect(recordedState(run.state)).toMatchObject({ how: { index: 0, unitId: 'y' } });
  });

  it('first runs each finally that is open in the branches that lost', () => {
    const run = started([...units, work('close')], {
      type: 'sequential',
      order: [{ type: 'race', units: [{ type: 'try', do: 'a', finally: 'close' }, 'b'] }, 'next'],
    });
    answer(run, 'b');
    expect(called(run)).toEqual(['close']);
    answer(run, 'close');
    expect(called(run)).toEqual(['next']);
    expect(recordedState(run.state)).not.toHaveProperty('output.close');
  });
});

describe('a gate with a time-out', () => {
  const flow = { type: 'sequential', order: ['ask', 'next'] };
  const ask = (config: object) => ({ ...gate('ask'), config: { timeout: 'PT10S', ...config } });

  it.each([
    ['reject', { onReject: 'continue' }, 'running', { approved: false, responder: 'engine', timedOut: true }],
    ['approve', { onTimeout: 'approve' }, 'running', { approved: true, responder: 'engine', timedOut: true }],
    ['fail', { onTimeout: 'fail', onReject: 'continue' }, 'failed', { approved: false, timedOut: true }],
  ])('is decided by the engine then: %s', (_how, config, status, output) => {
    const run = started([ask(config), work('next')], flow);
    expect(statusOf(run.state)).toBe('paused');
    run.send({ type: 'timer-due', at: 10_999 });
    expect(statusOf(run.state)).toBe('paused');
    run.send({ type: 'timer-due', at: 11_000 });
    expect(statusOf(run.state)).toBe(status);
    expect(recordedState(run.state)).toMatchObject({ 'output.ask': output });
  });

  it.each([
    ['is rejected', {}, 'Nobody decided at gate ask in time, and so it was rejected', 'rejected'],
    ['fails', { onTimeout: 'fail' }, 'Nobody decided at gate ask in time', 'timeout'],
  ])('says that its time was up where it %s and that fails the run', (_how, config, message, code) => {
    const run = started([ask(config), work('next')], flow);
    run.send({ type: 'timer-due', at: 11_000 });
    expect([statusOf(run.state), run.state.error]).toEqual(['failed', message]);
    const caught = started([ask(config), { ...work('next'), with: { e: '${{ error }}' } }], {
      type: 'try',
      do: 'ask',
      catch: 'next',
    });
    caught.send({ type: 'timer-due', at: 11_000 });
    const handled = caught.log.findLast(({ type }) => type === 'unit-scheduled');
    expect(handled).toMatchObject({ input: { e: { code, message, unitId: 'ask' } } });
  });

  it('does not hear of its time once somebody has decided', () => {
    const run = started([ask({}), work('next')], flow);
    const gateId = [...run.state.waits.keys()][0] ?? 0;
    run.send({
      type: 'decision',
      at: 2_000,
      gateId,
      approved: true,
      responder: 'ann',
      by: ANN,
      comment: null,
    });
    const { length } = run.log;
    run.send({ type: 'timer-due', at: 20_000 });
    expect(run.log).toHaveLength(length);
  });
});

describe('a foreach that outlives its failures', () => {
  const stop = (message: string) => ({
    id: 'stop',
    uses: 'builtin.fail',
    if: 'item.bad',
    config: { message },
  });
  const set = { id: 'load', uses: 'builtin.set', config: { values: { loaded: '${{ item.id }}' } } };
  const list = [
    { id: 'a', bad: false },
    { id: 'b', bad: true },
    { id: 'c', bad: true },
  ];
  const foreach = (more: object) => ({
    type: 'foreach',
    items: 'input.list',
    do: { type: 'sequential', order: ['stop', 'load'] },
    ...more,
  });
  const run = (more: object) =>
    new SimulatedRun(
      compileText(document('w', [stop('no ${{ item.id }}'), set], { flow: foreach(more) })),
      {},
      { list },
    );

  it('tells what failed by item, and the last text by unit', () => {
    const { state } = run({ failureStrategy: 'best-effort', failures: 'bad', itemKey: 'item.id' });
    expect(statusOf(state)).toBe('completed');
    expect(recordedState(state)).toMatchObject({
      bad: [
        { index: 1, itemKey: 'b', unitId: 'stop', message: 'no b', code: 'fail' },
        { index: 2, itemKey: 'c', unitId: 'stop', message: 'no c', code: 'fail' },
      ],
      'errors.stop': 'no c',
      loaded: 'a',
    });
  });

  it('fails once more fail than may, or when all are over', () => {
    expect(run({ failureStrategy: 'best-effort', maxFailures: 1 }).state.error).toBe('no c');
    expect(statusOf(run({ failureStrategy: 'best-effort', maxFailures: '70%' }).state)).toBe('completed');
    expect(run({ failureStrategy: 'collect-errors' }).state.error).toBe('2 of 3 passes failed: no b; no c');
  });
});
