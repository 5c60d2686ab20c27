import { nextWakeUp } from '../../src/engine/core/next-wake-up.js';
import { messagesOf } from '../../src/engine/core/log/messages.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { pending, pendingAfter } from '../../src/engine/core/pending.js';
import type { Signal } from '../../src/engine/core/signal.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { activeMsAt, openExecutionsOf, statusOf, wakeAtOf } from '../../src/engine/core/state/status.js';
import { executionOf } from '../../src/engine/core/waits/execution.js';
import { openGatesOf } from '../../src/engine/core/waits/gate.js';
import { openPausesOf } from '../../src/engine/core/waits/pause.js';
import { foldLog } from '../../src/engine/core/fold-log.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document, gate } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
const WITHIN_A_SECOND = { policy: { timeout: { workflowMs: 1_000 } } };
const PATIENT = { policyOverrides: { retry: { maxAttempts: 5 } } };
const beside = (...units: readonly string[]) => ({ flow: { type: 'parallel', units } });

/** Begins at 1,000. */
const started = (units: readonly object[], spec: object = {}) =>
  new SimulatedRun(compileText(document('w', units, spec)));

const idOf = (run: SimulatedRun, unitId: string): number =>
  run.log.findLast((event) => event.type === 'unit-scheduled' && event.unitId === unitId)!.seq;

function answer(run: SimulatedRun, unitId: string, at = 1_100) {
  const executionId = idOf(run, unitId);
  const attempt = executionOf(run.state, executionId)?.attempt ?? 1;
  const rest = { patch: null, usage: null, metadata: null };
  return run.send({ type: 'unit-finished', at, executionId, attempt, output: 1, ...rest });
}

function attemptFails(run: SimulatedRun, unitId: string, at: number, retryAfterMs: number | null) {
  const executionId = idOf(run, unitId);
  const attempt = executionOf(run.state, executionId)?.attempt ?? 1;
  const failure = { executionId, attempt, error: 'no', retryable: retryAfterMs !== null, retryAfterMs };
  return run.send({ type: 'unit-attempt-failed', at, ...failure, outcome: 'refused' });
}

const clock = (run: SimulatedRun, at: number) => run.send({ type: 'timer-due', at });
const cancel = (run: SimulatedRun, at = 1_500) => run.send({ type: 'cancel', at, by: ANN, graceMs: 0 });
const typesOf = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);

const OVERRAN = 'The run overran its time-out of 1000 ms';

describe('a run with a time-out', () => {
  it('fails when its time is up, to the millisecond, and not before', () => {
    const run = started([work('a')], WITHIN_A_SECOND);
    expect([wakeAtOf(run.state), nextWakeUp(run.state, 1_000)]).toEqual([2_000, 2_000]);
    expect(clock(run, 1_999)).toEqual([]);
    expect(clock(run, 2_000)).toMatchObject([{ type: 'run-failed', error: OVERRAN }]);
    expect([statusOf(run.state), wakeAtOf(run.state), nextWakeUp(run.state, 2_000)]).toEqual([
      'failed',
      null,
      null,
    ]);
    expect(clock(run, 9_000)).toEqual([]);
  });

  it('does not spend it while it waits for a person', () => {
    const run = started([work('a', { pause: 'before' }), gate('ask')], WITHIN_A_SECOND);
    expect([statusOf(run.state), wakeAtOf(run.state)]).toEqual(['paused', null]);
    expect(clock(run, 50_000)).toEqual([]);
    run.send({ type: 'resume', at: 60_000, pauseId: openPausesOf(run.state)[0]!, by: ANN });
    expect(wakeAtOf(run.state)).toBe(61_000);
    answer(run, 'a', 60_400);
    expect([activeMsAt(run.state, 70_000), wakeAtOf(run.state)]).toEqual([400, null]);
    const { gateId } = openGatesOf(run.state)[0]!;
    const decided = { gateId, approved: true, responder: 'ann', by: ANN, comment: null };
    run.send({ type: 'decision', at: 80_000, ...decided });
    expect([statusOf(run.state), activeMsAt(run.state, 90_000)]).toEqual(['completed', 400]);
  });

  it('is woken by its time-out or by what is due in it, whichever is earlier', () => {
    const run = started([work('a', PATIENT)], WITHIN_A_SECOND);
    attemptFails(run, 'a', 1_100, 300);
    expect([wakeAtOf(run.state), openExecutionsOf(run.state)]).toEqual([1_400, 0]);
    expect(clock(run, 1_400)).toEqual([]);
    // A run that is woken at that instant needs no further wake-up for it.
    expect([nextWakeUp(run.state, 1_399), nextWakeUp(run.state, 1_400)]).toEqual([1_400, 2_000]);
    attemptFails(run, 'a', 1_450, 3_000);
    expect([wakeAtOf(run.state), nextWakeUp(run.state, 1_450)]).toEqual([2_000, 2_000]);
    expect(clock(run, 2_000)).toMatchObject([{ type: 'run-failed', error: OVERRAN }]);
  });

  it('needs no wake-up without one but for what is due', () => {
    const run = started([work('a')]);
    expect([wakeAtOf(run.state), nextWakeUp(run.state, 1_000)]).toEqual([null, null]);
    expect(clock(run, 99_000_000)).toEqual([]);
    attemptFails(run, 'a', 1_100, 300);
    expect([nextWakeUp(run.state, 1_100), nextWakeUp(run.state, 1_400)]).toEqual([1_400, null]);
  });
});

describe('the time that a run was running', () => {
  it('is counted up to now while it runs, and no further once it is over', () => {
    const run = started([work('a')]);
    expect([activeMsAt(run.state, 1_000), activeMsAt(run.state, 1_700)]).toEqual([0, 700]);
    expect(activeMsAt(run.state, 900)).toBe(0);
    answer(run, 'a', 1_900);
    expect(run.state).toMatchObject({ phase: 'completed', activeMs: 900, activeSince: null });
    expect(activeMsAt(run.state, 5_000)).toBe(900);
  });

  it('continues while one unit is being called, though another waits for a person', () => {
    const run = started([work('a'), gate('ask')], beside('a', 'ask'));
    expect([statusOf(run.state), openExecutionsOf(run.state)]).toEqual(['running', 1]);
    answer(run, 'a', 1_250);
    expect([statusOf(run.state), openExecutionsOf(run.state)]).toEqual(['paused', 0]);
    expect(activeMsAt(run.state, 2_000)).toBe(250);
  });

  it('continues while a retry is waited for', () => {
    const run = started([work('a', PATIENT), gate('ask')], beside('a', 'ask'));
    attemptFails(run, 'a', 1_100, 800);
    expect([statusOf(run.state), openExecutionsOf(run.state)]).toEqual(['running', 0]);
    expect(activeMsAt(run.state, 1_300)).toBe(300);
  });
});

describe('a cancelled run', () => {
  it('is shown as failed, names who cancelled it, and has nothing left to do', () => {
    const run = started([work('a'), gate('ask')], { ...beside('a', 'ask'), ...WITHIN_A_SECOND });
    const events = cancel(run);
    expect(events).toMatchObject([
      { type: 'run-cancelled', by: { id: 'ann' }, at: 1_500 },
      { type: 'gate-closed', unitId: 'ask', why: 'cancel' },
    ]);
    expect([statusOf(run.state), run.state.phase]).toEqual(['failed', 'cancelled']);
    expect(run.state).toMatchObject({ error: 'Cancelled by ann', activeMs: 500, updatedAt: 1_500 });
    expect(pendingAfter(run.state, run.log)).toMatchObject({ commands: [], mayHaveReleasedOthers: true });
    expect([pending(run.state), wakeAtOf(run.state), openExecutionsOf(run.state)]).toEqual([[], null, 0]);
  });

  it('may have failed before, and is not resumed after', () => {
    const run = started([work('a')]);
    attemptFails(run, 'a', 1_100, null);
    expect(run.state.phase).toBe('failed');
    expect(typesOf(cancel(run))).toEqual(['run-cancelled']);
    expect(run.send({ type: 'resume', at: 1_600, pauseId: null, by: ANN })).toEqual([]);
    expect(cancel(run, 1_700)).toEqual([]);
  });
});

describe('a run that is over', () => {
  const ends: readonly (readonly [string, (run: SimulatedRun) => unknown])[] = [
    ['completed', (run) => (answer(run, 'a'), answer(run, 'b'))],
    ['failed', (run) => attemptFails(run, 'a', 1_100, null)],
    ['cancelled', (run) => cancel(run)],
  ];

  it.each(ends)('as %s takes no outcome, decision, clock or recovery any more', (phase, end) => {
    const run = started([work('a'), work('b'), gate('ask', {})], {
      flow: { type: 'parallel', units: ['a', 'b'] },
      ...WITHIN_A_SECOND,
    });
    const { a, b } = { a: idOf(run, 'a'), b: idOf(run, 'b') };
    end(run);
    expect(run.state.phase).toBe(phase);
    const { seq, updatedAt } = run.state;
    answer(run, 'b');
    attemptFails(run, 'b', 1_200, 100);
    clock(run, 99_000);
    const begun = [a, b].map((executionId) => ({ executionId, attempt: 1 }));
    const signals: readonly Signal[] = [
      { type: 'continue', at: 1_300 },
      { type: 'recover', at: 1_300, begun },
      { type: 'undecided', at: 1_300, executionId: b, error: 'no' },
      { type: 'undecided', at: 1_300, executionId: null, error: 'no' },
      { type: 'resume', at: 1_300, pauseId: b, by: ANN },
    ];
    for (const signal of signals) expect(run.send(signal)).toEqual([]);
    expect(run.state).toMatchObject({ seq, updatedAt, phase });
    expect([pending(run.state), openExecutionsOf(run.state), wakeAtOf(run.state)]).toEqual([[], 0, null]);
  });

  it('as completed is not cancelled', () => {
    const run = started([work('a')]);
    answer(run, 'a');
    expect(cancel(run)).toEqual([]);
    expect(statusOf(run.state)).toBe('completed');
  });

  it('continues from where it is rewound to, without its error, and what it spent stays spent', () => {
    const run = started([work('a'), work('b')]);
    const [finished] = answer(run, 'a', 1_300);
    attemptFails(run, 'b', 1_600, null);
    expect([run.state.phase, run.state.activeMs]).toEqual(['failed', 600]);
    const events = run.rewind(finished!.seq);
    expect(typesOf(events)).toEqual(['rewound', 'unit-scheduled']);
    expect(run.state).toMatchObject({ phase: 'live', error: null, activeMs: 600 });
    expect(statusOf(run.state)).toBe('running');
    expect(pendingAfter(run.state, events).mayHaveReleasedOthers).toBe(true);
    expect(messagesOf('run', events[0]!)).toEqual([
      { type: 'rewound', timestamp: 1_600, snapshotId: `run.${finished!.seq}` },
    ]);
  });
});

describe('a run that has not begun', () => {
  it('is pending, and cannot be cancelled, rewound, woken or continued', () => {
    const run = started([work('a')]);
    run.state = INITIAL_STATE;
    expect([statusOf(run.state), pending(run.state), wakeAtOf(run.state)]).toEqual(['pending', [], null]);
    expect(nextWakeUp(run.state, 0)).toBeNull();
    const signals: readonly Signal[] = [
      { type: 'cancel', at: 1, by: ANN, graceMs: 0 },
      { type: 'timer-due', at: 1 },
      { type: 'continue', at: 1 },
      { type: 'recover', at: 1, begun: [] },
      { type: 'rewind', at: 1, toSeq: 0, baseState: INITIAL_STATE, by: ANN },
    ];
    for (const signal of signals) expect(run.send(signal)).toEqual([]);
  });

  it('begins once: a second start changes nothing', () => {
    const run = started([work('a')]);
    const { seq } = run.state;
    const start = { runId: 'other', namespace: 'x', input: {}, labels: {}, by: ANN, parent: null } as const;
    expect(run.send({ type: 'start', at: 1_500, ...start, origin: { type: 'client' } })).toEqual([]);
    expect(run.state).toMatchObject({ runId: 'run', namespace: 'default', seq });
  });

  it('says in its first event who started what, from where and until when', () => {
    const [first] = started([work('a')], WITHIN_A_SECOND).log;
    expect(first).toMatchObject({ type: 'run-started', runId: 'run', workflowId: 'w', by: { id: 'ann' } });
    expect(first).toMatchObject({ input: { n: 1 }, origin: { type: 'client' }, deadlineAt: 2_000, seq: 1 });
    expect(started([work('a')]).log[0]).toMatchObject({ deadlineAt: null });
    expect(foldLog(INITIAL_STATE, [first!])).toMatchObject({ createdAt: 1_000, activeLimitMs: 1_000 });
  });
});
