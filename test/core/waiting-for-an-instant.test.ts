import { evolve } from '../../src/engine/core/evolve.js';
import type { NewEvent, RunEvent } from '../../src/engine/core/log/event.js';
import { stampEvent } from '../../src/engine/core/log/event-kinds.js';
import { nextWakeUp } from '../../src/engine/core/next-wake-up.js';
import { pending } from '../../src/engine/core/pending.js';
import { decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import type { RunState } from '../../src/engine/core/state/state.js';
import { openExecutionsOf, statusOf, wakeAtOf } from '../../src/engine/core/state/status.js';
import { waitsDueBy } from '../../src/engine/core/waits/state-indexes.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const PATIENT = { policyOverrides: { retry: { maxAttempts: 100 } } };
const work = (id: string) => ({ id, uses: 'work', ...PATIENT });

/** Passes that are all being called, in one run; `calls` are the ids of their executions. */
function passes(count: number) {
  const list = Array.from({ length: count }, (_, index) => index);
  const flow = { type: 'foreach', items: 'input.list', do: 'a', maxConcurrency: count };
  const plan = compileText(document('w', [work('a')], { flow }));
  const run = new SimulatedRun(plan, { maxStateChars: Infinity }, { list });
  const calls = pending(run.state).flatMap((command) =>
    command.type === 'execute-unit' ? [command.execution.id] : [],
  );
  return { run, calls };
}

function failed(run: SimulatedRun, executionId: number, attempt: number, at: number, dueAt: number) {
  const failure = { error: 'no', retryable: true, outcome: 'refused' } as const;
  const retryAfterMs = dueAt - at;
  return run.send({ type: 'unit-attempt-failed', at, executionId, attempt, ...failure, retryAfterMs });
}

function answered(run: SimulatedRun, executionId: number, attempt: number) {
  const answer = { output: 1, patch: null, usage: null, metadata: null };
  return run.send({ type: 'unit-finished', at: 2_000, executionId, attempt, ...answer });
}

const dueIn = (state: RunState, at: number) => waitsDueBy(state, at).map(({ id }) => id);
const typesOf = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);

describe('a run with retries to come', () => {
  it('is woken for the earliest of them, and for the next once that one is complete', () => {
    const { run, calls } = passes(3);
    const [a, b, c] = calls as [number, number, number];
    failed(run, a, 1, 2_000, 9_000);
    failed(run, b, 1, 2_000, 7_000);
    failed(run, c, 1, 2_000, 8_000);
    expect([wakeAtOf(run.state), openExecutionsOf(run.state)]).toEqual([7_000, 0]);
    answered(run, b, 2);
    expect(wakeAtOf(run.state)).toBe(8_000);
    answered(run, a, 2);
    expect(wakeAtOf(run.state)).toBe(8_000);
    answered(run, c, 2);
    expect([wakeAtOf(run.state), statusOf(run.state)]).toEqual([null, 'completed']);
  });

  it('knows what is due by an instant, that instant included, by age', () => {
    const { run, calls } = passes(4);
    const [a, b, c, d] = calls as [number, number, number, number];
    failed(run, c, 1, 2_000, 5_000);
    failed(run, a, 1, 2_000, 7_000);
    failed(run, d, 1, 2_000, 6_000);
    failed(run, b, 1, 2_000, 7_001);
    expect([4_999, 5_000, 7_000, 7_001].map((at) => dueIn(run.state, at))).toEqual([
      [],
      [c],
      [a, c, d],
      [a, b, c, d],
    ]);
    // One completed and one was deferred: neither is due at its old instant any more.
    answered(run, c, 2);
    failed(run, d, 2, 6_500, 8_000);
    expect(dueIn(run.state, 7_000)).toEqual([a]);
    expect(dueIn(run.state, 8_000)).toEqual([a, b, d]);
    expect([wakeAtOf(run.state), nextWakeUp(run.state, 0)]).toEqual([7_000, 7_000]);
  });

  it('needs no wake-up for those that are due: the next is for the earliest of the others', () => {
    const { run, calls } = passes(5);
    const dues = [5_000, 6_000, 6_000, 8_000, 7_000];
    calls.forEach((id, index) => failed(run, id, 1, 2_000, dues[index]!));
    const alarms = [0, 4_999, 5_000, 5_999, 6_000, 7_500, 8_000].map((now) => nextWakeUp(run.state, now));
    expect(alarms).toEqual([5_000, 5_000, 6_000, 6_000, 7_000, 8_000, null]);
    answered(run, calls[4]!, 2);
    expect(nextWakeUp(run.state, 6_000)).toBe(8_000);
  });

  it('forgets the time of one that is frozen, and knows it again once it is released', () => {
    const { run, calls } = passes(2);
    const [a, b] = calls as [number, number];
    failed(run, a, 1, 2_000, 5_000);
    failed(run, b, 1, 2_000, 6_000);
    const [paused] = run.send({ type: 'undecided', at: 2_100, executionId: a, error: 'no' });
    expect([wakeAtOf(run.state), dueIn(run.state, 9_000)]).toEqual([6_000, [b]]);
    run.send({ type: 'resume', at: 2_200, pauseId: paused!.seq, by: ANN });
    expect([wakeAtOf(run.state), dueIn(run.state, 9_000)]).toEqual([5_000, [a, b]]);
    run.send({ type: 'recover', at: 2_300, begun: [{ executionId: a, attempt: 2 }] });
    expect([wakeAtOf(run.state), dueIn(run.state, 9_000)]).toEqual([5_000, [a, b]]);
  });

  it('keeps little of the times that are past, however often one is deferred', () => {
    const { run, calls } = passes(3);
    const [a, b, c] = calls as [number, number, number];
    failed(run, b, 1, 2_000, 3_000_000);
    failed(run, c, 1, 2_000, 2_900_000);
    let most = 0;
    for (let attempt = 1; attempt < 95; attempt++) {
      // Each is earlier than the one before: none comes up by itself.
      failed(run, a, attempt, 2_000, 2_000_000 - attempt);
      failed(run, b, attempt + 1, 2_000, 3_000_000 + attempt);
      most = Math.max(most, run.state.dueEntries);
      expect(run.state).toMatchObject({ dueWaits: 3 });
    }
    expect(most).toBeLessThanOrEqual(40);
    expect(most).toBeGreaterThan(20);
    expect(dueIn(run.state, 2_950_000)).toEqual([a, c]);
    expect([wakeAtOf(run.state), dueIn(run.state, 9_000_000)]).toEqual([1_999_906, [a, b, c]]);
    for (const [id, attempt] of [[a, 95] as const, [b, 96] as const, [c, 2] as const])
      answered(run, id, attempt);
    expect(run.state).toMatchObject({ due: null, dueEntries: 0, dueWaits: 0 });
  });

  it('is the same when it was stored and loaded', () => {
    const { run, calls } = passes(4);
    calls.slice(1).forEach((id, index) => failed(run, id, 1, 2_000, 5_000 - index));
    run.send({ type: 'undecided', at: 2_100, executionId: calls[1]!, error: 'no' });
    const loaded = decodeState(JSON.parse(JSON.stringify(encodeState(run.state))));
    const { inFlight, moving, forPeople, stops, stateChars, dueWaits } = run.state;
    expect([inFlight, moving, forPeople, stops, dueWaits]).toEqual([1, 2, 1, 0, 2]);
    expect(loaded).toMatchObject({ inFlight, moving, forPeople, stops, stateChars, dueWaits });
    expect([wakeAtOf(loaded), dueIn(loaded, 5_000)]).toEqual([4_998, dueIn(run.state, 5_000)]);
  });
});

describe('a timer', () => {
  const path = (position: number) => `/spec/flow/units/${position}`;

  /** A run in whose branches timers were set before anything was called. */
  function withTimers(...dues: readonly number[]): SimulatedRun {
    const units = [...dues.keys()].map((position) => `u${position}`);
    const flow = { type: 'parallel', units };
    const run = new SimulatedRun(compileText(document('w', units.map(work), { flow })));
    expect(run.plan.nodes.has(path(0))).toBe(true);
    run.log = run.log.slice(0, 1);
    const events = dues.map((dueAt, position): NewEvent => ({
      type: 'timer-set',
      path: path(position),
      scope: `>/spec/flow#${position}`,
      unitId: units[position]!,
      dueAt,
    }));
    const first = run.log[0]!;
    run.log = [first, ...events.map((event, index) => stampEvent(event, index + 2, 1_000))];
    run.crash(run.log.length);
    return run;
  }

  it('is waited for until its instant, and fires once', () => {
    const run = withTimers(5_000, 6_000);
    expect(pending(run.state)).toEqual([
      { type: 'await-timer', timerId: 2, dueAt: 5_000 },
      { type: 'await-timer', timerId: 3, dueAt: 6_000 },
    ]);
    expect([statusOf(run.state), wakeAtOf(run.state), nextWakeUp(run.state, 1_000)]).toEqual([
      'running',
      5_000,
      5_000,
    ]);
    expect(run.send({ type: 'timer-due', at: 4_999 })).toEqual([]);
    expect(run.send({ type: 'timer-due', at: 5_000 })).toMatchObject([
      { type: 'timer-fired', timerId: 2, unitId: 'u0' },
      { type: 'branch-closed', scope: '>/spec/flow#0' },
    ]);
    expect(run.send({ type: 'timer-due', at: 5_000 })).toEqual([]);
    expect([wakeAtOf(run.state), pending(run.state)]).toMatchObject([6_000, [{ timerId: 3 }]]);
    expect(typesOf(run.send({ type: 'timer-due', at: 7_000 }))).toEqual([
      'timer-fired',
      'branch-closed',
      'node-closed',
      'run-completed',
    ]);
    expect([...run.state.completed.keys()].sort()).toEqual(['u0', 'u1']);
  });

  it('that is due and did not fire needs a wake-up at once', () => {
    const run = withTimers(5_000, 6_000);
    expect([nextWakeUp(run.state, 5_500), nextWakeUp(run.state, 9_000)]).toEqual([5_000, 5_000]);
  });

  it('fires by age with others that are due at the same wake-up', () => {
    const run = withTimers(6_000, 5_000, 9_000, 5_500);
    const fired = run.send({ type: 'timer-due', at: 6_000 });
    expect(fired.filter(({ type }) => type === 'timer-fired')).toMatchObject([
      { timerId: 2 },
      { timerId: 3 },
      { timerId: 5 },
    ]);
    expect(wakeAtOf(run.state)).toBe(9_000);
  });

  it('is not set again by an event that names it late', () => {
    const run = withTimers(5_000, 6_000);
    run.send({ type: 'timer-due', at: 5_000 });
    const late: NewEvent = { type: 'timer-fired', timerId: 2, unitId: 'u0' };
    const after = evolve(run.state, stampEvent(late, run.state.seq + 1, 5_000));
    expect(wakeAtOf(after)).toBe(6_000);
    expect(statusOf(after)).toBe('running');
  });
});
