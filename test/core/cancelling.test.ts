import { messagesOf } from '../../src/engine/core/log/messages.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { nextWakeUp } from '../../src/engine/core/next-wake-up.js';
import { pending } from '../../src/engine/core/pending.js';
import { decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { recordedState } from '../../src/engine/core/state/view/state-view.js';
import { statusOf, wakeAtOf } from '../../src/engine/core/state/status.js';
import { openPausesOf } from '../../src/engine/core/waits/pause.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document, gate } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });

function started(units: readonly object[], spec: object = {}): SimulatedRun {
  return new SimulatedRun(compileText(document('w', units, spec)));
}

const called = (run: SimulatedRun): readonly string[] =>
  pending(run.state).flatMap((command) =>
    command.type === 'execute-unit' ? [command.execution.unitId] : [],
  );

function executionOf(run: SimulatedRun, unitId: string) {
  for (const command of pending(run.state)) {
    if (command.type !== 'execute-unit' || command.execution.unitId !== unitId) continue;
    return { executionId: command.execution.id, attempt: command.execution.attempt };
  }
  throw new Error(`${unitId} is not being called.`);
}

function answer(run: SimulatedRun, unitId: string, output: number = 1) {
  const rest = { output, patch: null, usage: null, metadata: null };
  return run.send({ type: 'unit-finished', at: 2_000, ...executionOf(run, unitId), ...rest });
}

function fail(run: SimulatedRun, unitId: string) {
  const rest = { error: 'no', retryable: true, outcome: 'unknown', retryAfterMs: null } as const;
  return run.send({ type: 'unit-attempt-failed', at: 2_000, ...executionOf(run, unitId), ...rest });
}

const cancel = (run: SimulatedRun, graceMs = 500) =>
  run.send({ type: 'cancel', at: 1_500, by: ANN, graceMs });
const pause = (run: SimulatedRun, graceMs = 500) => run.send({ type: 'pause', at: 1_500, by: ANN, graceMs });
const inFlightEnded = (run: SimulatedRun) => run.send({ type: 'in-flight-ended', at: 1_600 });
const due = (run: SimulatedRun, at: number) => run.send({ type: 'timer-due', at });
const typesOf = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);
const ALL = { flow: { type: 'parallel', units: ['a', 'b'] } };

describe('a run that is cancelled', () => {
  it('is over at once where nothing is in flight and nothing is to be cleaned up', () => {
    const run = started([gate('ask'), work('a')]);
    expect(typesOf(cancel(run))).toEqual(['run-cancelled', 'gate-closed']);
    expect([statusOf(run.state), run.state.error]).toEqual(['failed', 'Cancelled by ann']);
    expect(cancel(run)).toEqual([]);
    expect(pending(run.state)).toEqual([]);
  });

  it('waits for what is in flight, records it, and begins nothing new', () => {
    const run = started([work('a'), work('b'), work('c')], {
      flow: { type: 'sequential', order: [ALL.flow, 'c'] },
    });
    expect(typesOf(cancel(run))).toEqual(['cancel-requested']);
    expect([statusOf(run.state), wakeAtOf(run.state), nextWakeUp(run.state, 1_500)]).toEqual([
      'running',
      2_000,
      2_000,
    ]);
    expect(typesOf(answer(run, 'a'))).toEqual(['unit-finished']);
    expect(called(run)).toEqual(['b']);
    expect(typesOf(answer(run, 'b'))).toEqual(['unit-finished', 'run-cancelled']);
    expect(called(run)).toEqual([]);
    expect(recordedState(run.state)).toMatchObject({ 'output.a': 1, 'output.b': 1 });
  });

  it('stays as it is when a request is noted after what it waited for would have been due', () => {
    const run = started([work('a')], { policy: { retry: { maxAttempts: 5 } } });
    fail(run, 'a');
    expect(wakeAtOf(run.state)).not.toBeNull();
    expect(typesOf(cancel(run, 0))).toEqual(['run-cancelled']);
    const { seq: _seq, eventAt: _eventAt, logChars: _logChars, ...over } = run.state;
    run.send({ type: 'note', at: 1e9, request: 'cancel' });
    expect(run.state).toMatchObject(over);
  });

  it('does not try again what fails meanwhile', () => {
    const run = started([work('a')], { policy: { retry: { maxAttempts: 5 } } });
    cancel(run);
    expect(typesOf(fail(run, 'a'))).toEqual(['unit-failed', 'run-cancelled']);
  });

  it('does not wait for what was never called, as its owner says', () => {
    const run = started([work('a')]);
    cancel(run);
    expect(typesOf(inFlightEnded(run))).toEqual(['run-cancelled']);
    expect(inFlightEnded(run)).toEqual([]);
  });

  it('waits no longer than it was given', () => {
    const run = started([work('a')]);
    const open = executionOf(run, 'a');
    cancel(run);
    expect(due(run, 1_999)).toEqual([]);
    expect(typesOf(due(run, 2_000))).toEqual(['run-cancelled']);
    const late = { output: 1, patch: null, usage: null, metadata: null };
    expect(run.send({ type: 'unit-finished', at: 2_100, ...open, ...late })).toEqual([]);
  });

  it('waits for nothing without a grace', () => {
    const run = started([work('a')]);
    expect(typesOf(cancel(run, 0))).toEqual(['run-cancelled']);
  });

  it('closes its gates, timers and pauses: nothing of them ever comes', () => {
    const rest = { id: 'rest', uses: 'builtin.wait', config: { durationMs: 1_000 } };
    const run = started([rest, gate('ask'), work('hold', { pause: 'before' }), work('a')], {
      flow: { type: 'parallel', units: ['rest', 'ask', 'hold', 'a'] },
    });
    const open = pending(run.state);
    cancel(run, 50_000);
    expect(pending(run.state)).toEqual([expect.objectContaining({ type: 'execute-unit' })]);
    for (const command of open) {
      if (command.type === 'await-decision') {
        const decision = { approved: true, responder: 'bob', by: ANN, comment: null };
        expect(run.send({ type: 'decision', at: 3_000, gateId: command.gateId, ...decision })).toEqual([]);
      }
      if (command.type === 'await-resume')
        expect(run.send({ type: 'resume', at: 3_000, pauseId: command.pauseId, by: ANN })).toEqual([]);
    }
    expect(due(run, 10_000)).toEqual([]);
  });

  it('is not bound by the time that its workflow may take any more', () => {
    const run = started([work('a')], { policy: { timeout: { workflowMs: 600 } } });
    cancel(run, 5_000);
    expect(due(run, 3_000)).toEqual([]);
  });

  it('goes back to a checkpoint as if it had never been cancelled', () => {
    const run = started([work('a'), work('b')]);
    answer(run, 'a');
    const { checkpoint } = run.state;
    cancel(run);
    run.rewind(checkpoint);
    expect([run.state.cancelling, called(run)]).toEqual([null, ['b']]);
  });

  it('says who requested it', () => {
    const run = started([work('a')]);
    cancel(run);
    inFlightEnded(run);
    expect(run.log.flatMap((event) => messagesOf('run', event)).slice(-2)).toEqual([
      { type: 'cancel-requested', timestamp: 1_500, by: 'ann' },
      { type: 'run-cancelled', timestamp: 1_600, by: 'ann' },
    ]);
  });
});

describe('the clean-up of a cancelled run', () => {
  const units = [work('a'), work('b'), work('undo'), work('tell')];

  it('runs one unit after another, and only then the run is cancelled', () => {
    const run = started(units, { flow: 'a', onCancel: ['undo', 'tell'] });
    cancel(run);
    expect(typesOf(answer(run, 'a'))).toEqual(['unit-finished', 'clean-up-started', 'unit-scheduled']);
    expect([called(run), statusOf(run.state)]).toEqual([['undo'], 'running']);
    answer(run, 'undo');
    expect(called(run)).toEqual(['tell']);
    expect(typesOf(answer(run, 'tell')).at(-1)).toBe('run-cancelled');
    expect(run.state.error).toBe('Cancelled by ann');
  });

  it('sees what open branches had written', () => {
    const undo = work('undo', {
      if: '"a" in outputs && !("b" in outputs)',
      with: { of: '${{ outputs.a }}' },
    });
    const run = started([work('a'), work('b'), undo], { ...ALL, onCancel: ['undo'] });
    answer(run, 'a', 7);
    cancel(run);
    due(run, 2_000);
    expect(pending(run.state)).toEqual([
      expect.objectContaining({ execution: expect.objectContaining({ unitId: 'undo', input: { of: 7 } }) }),
    ]);
  });

  it('is tried again as a policy says, and continues with the next unit when one fails permanently', () => {
    const run = started(units, {
      flow: 'a',
      onCancel: ['undo', 'tell'],
      policy: { retry: { maxAttempts: 2, baseMs: 10, jitter: false } },
    });
    cancel(run, 0);
    expect(typesOf(fail(run, 'undo'))).toEqual(['unit-attempt-failed']);
    expect(typesOf(fail(run, 'undo'))).toContain('unit-failed');
    expect(called(run)).toEqual(['tell']);
    expect(typesOf(answer(run, 'tell')).at(-1)).toBe('run-cancelled');
    expect(recordedState(run.state)).toMatchObject({
      'errors.undo': 'Unit undo failed after 2 attempt(s): no',
      'output.tell': 1,
    });
  });

  it('runs for a run that failed, too, and for one that was paused', () => {
    const failed = started([{ id: 'stop', uses: 'builtin.fail', config: { message: 'no' } }, work('undo')], {
      flow: 'stop',
      onCancel: ['undo'],
    });
    expect(statusOf(failed.state)).toBe('failed');
    cancel(failed);
    expect([statusOf(failed.state), called(failed)]).toEqual(['running', ['undo']]);
    const still = started(units, { flow: 'a', onCancel: ['undo'] });
    pause(still, 0);
    cancel(still);
    inFlightEnded(still);
    expect(called(still)).toEqual(['undo']);
  });

  it('is the same for a run that was loaded in the middle of it', () => {
    const run = started(units, { flow: 'a', onCancel: ['undo', 'tell'] });
    cancel(run);
    for (const step of [() => undefined, () => answer(run, 'a'), () => answer(run, 'undo')]) {
      step();
      const loaded = decodeState(JSON.parse(JSON.stringify(encodeState(run.state))) as never);
      expect(encodeState(loaded)).toEqual(encodeState(run.state));
      expect(pending(loaded)).toEqual(pending(run.state));
      expect(loaded.stateChars).toBe(run.state.stateChars);
    }
  });
});

describe('a run that is paused on request', () => {
  it('is suspended at once where nothing is in flight, and continues when it is resumed', () => {
    const rest = { id: 'rest', uses: 'builtin.wait', config: { durationMs: 1_000 } };
    const run = started([rest, work('a')]);
    pause(run);
    expect([statusOf(run.state), wakeAtOf(run.state)]).toEqual(['paused', null]);
    expect(due(run, 9_000)).toEqual([]);
    run.send({ type: 'resume', at: 10_000, pauseId: openPausesOf(run.state)[0]!, by: ANN });
    due(run, 10_000);
    expect(called(run)).toEqual(['a']);
  });

  it('lets what is in flight come to its end, and begins nothing new', () => {
    const run = started([work('a'), work('b')]);
    pause(run);
    expect(statusOf(run.state)).toBe('running');
    expect(typesOf(answer(run, 'a'))).toEqual(['unit-finished', 'set-aside']);
    expect(called(run)).toEqual([]);
    expect(statusOf(run.state)).toBe('paused');
    run.send({ type: 'resume', at: 3_000, pauseId: openPausesOf(run.state)[0]!, by: ANN });
    expect(called(run)).toEqual(['b']);
  });

  it('releases what takes longer, and calls it again under its key', () => {
    const run = started([work('a')]);
    const before = executionOf(run, 'a');
    pause(run);
    expect(typesOf(due(run, 2_000))).toEqual(['set-aside']);
    expect([statusOf(run.state), called(run)]).toEqual(['paused', []]);
    run.send({ type: 'resume', at: 3_000, pauseId: openPausesOf(run.state)[0]!, by: ANN });
    expect(executionOf(run, 'a')).toEqual(before);
  });

  it('is paused once, and not once it is over or being cancelled', () => {
    const run = started([work('a')], { onCancel: ['a'] });
    pause(run);
    expect(pause(run)).toEqual([]);
    cancel(run);
    expect(pause(run)).toEqual([]);
    const over = started([work('a')]);
    answer(over, 'a');
    expect(pause(over)).toEqual([]);
  });

  it('says who requested it', () => {
    const run = started([work('a')]);
    pause(run);
    expect(messagesOf('run', run.log.at(-1)!)).toContainEqual({
      type: 'run-paused',
      timestamp: 1_500,
      reason: 'requested',
      unitId: '',
      error: 'Paused by ann',
    });
  });
});
