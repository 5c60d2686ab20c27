import { decide } from '../../src/engine/core/decide.js';
import { pending } from '../../src/engine/core/pending.js';
import { recordedState } from '../../src/engine/core/state/view/state-view.js';
import { UNBOUNDED } from '../../src/engine/core/turn/limits/budget.js';
import { NO_LIMITS } from '../../src/engine/core/turn/limits/limits.js';
import { replaySteps } from '../../src/engine/runtime/transfer/replay/replay-log.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const set = (id: string, values: object) => ({ id, uses: 'builtin.set', config: { values } });
const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');

/** Three units that write what the time is, with a unit that is called after the first. */
const plan = compileText(
  document(
    'w',
    [
      set('a', { a: '${{ now }}' }),
      { id: 'call', uses: 'work' },
      set('b', { b: '${{ now }}' }),
      set('c', { c: '${{ now }}' }),
    ],
    {
      flow: { type: 'sequential' },
    },
  ),
);

function finish(run: SimulatedRun, at: number): void {
  const [call] = pending(run.state);
  if (call?.type !== 'execute-unit') throw new Error('Nothing is called.');
  const { id: executionId, attempt } = call.execution;
  run.send({
    type: 'unit-finished',
    at,
    executionId,
    attempt,
    output: 1,
    patch: null,
    usage: null,
    metadata: null,
  });
}

function replayed(run: SimulatedRun) {
  const steps = replaySteps({ events: run.log, plan: run.plan, source: null });
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

describe('now', () => {
  it('is the instant of the event that it ends up in', () => {
    const run = new SimulatedRun(plan);
    finish(run, 90_000);
    const writtenAt = (unitId: string) =>
      run.log.find((event) => event.type === 'state-written' && event.unitId === unitId)?.at ?? 0;
    expect(recordedState(run.state)).toMatchObject({
      a: iso(writtenAt('a')),
      b: iso(writtenAt('b')),
      c: iso(writtenAt('c')),
    });
    expect([writtenAt('a'), writtenAt('b')]).toEqual([1_000, 90_000]);
  });

  it('never goes back, though the clock does', () => {
    const run = new SimulatedRun(plan);
    finish(run, 10);
    expect(recordedState(run.state)).toMatchObject({ a: iso(1_000), b: iso(1_000) });
  });

  it('stays that of a turn that is cut', () => {
    const cut = new SimulatedRun(plan, {}, { n: 1 }, () => ({ ...UNBOUNDED, events: 1 }));
    cut.postpones = () => true;
    finish(cut, 50_000);
    const later = (): boolean => cut.proceed();
    while (later());
    expect(recordedState(cut.state)).toMatchObject({ b: iso(50_000), c: iso(50_000) });
    expect(new Set(cut.log.slice(-3).map(({ at }) => at))).toEqual(new Set([50_000]));
  });

  it('moves on with a run that computes for longer than a second', () => {
    const { state } = new SimulatedRun(plan);
    const [call] = pending(state);
    if (call?.type !== 'execute-unit') throw new Error('Nothing is called.');
    const { id: executionId, attempt } = call.execution;
    const answer = { output: 1, patch: null, usage: null, metadata: null };
    const oneEvent = { ...UNBOUNDED, events: 1 };
    const finished = { type: 'unit-finished', at: 50_000, executionId, attempt, ...answer } as const;
    const first = decide(plan, state, finished, NO_LIMITS, oneEvent);
    const restAt = (at: number) =>
      decide(
        plan,
        first.state,
        { type: 'continue', at, continuation: first.continuation! },
        NO_LIMITS,
      ).events.map((event) => event.at);
    expect(new Set(restAt(51_000))).toEqual(new Set([50_000]));
    expect(new Set(restAt(51_001))).toEqual(new Set([51_001]));
  });

  it('is taken from the log when that is replayed, and a forged one differs', () => {
    const run = new SimulatedRun(plan);
    finish(run, 90_000);
    expect(replayed(run)).toMatchObject({ different: 0, compared: run.log.length - 2 });
    run.log = run.log.map((event) =>
      event.type === 'state-written' && event.unitId === 'b'
        ? { ...event, values: { b: iso(91_000) } }
        : event,
    );
    expect(replayed(run)).toMatchObject({ different: 1 });
  });
});

it('a wait may be until an instant that is reckoned from now', () => {
  const wait = { id: 'w', uses: 'builtin.wait', config: { until: '${{ now + duration("PT1H") }}' } };
  const run = new SimulatedRun(compileText(document('w', [wait], { flow: 'w' })));
  expect(pending(run.state)).toMatchObject([{ type: 'await-timer', dueAt: 1_000 + 3_600_000 }]);
});

it('a wait and a gate take a duration as an expression gives it', () => {
  const wait = { id: 'w', uses: 'builtin.wait', config: { duration: '${{ duration("90m") }}' } };
  const run = new SimulatedRun(compileText(document('w', [wait], { flow: 'w' })));
  expect(pending(run.state)).toMatchObject([{ dueAt: 1_000 + 5_400_000 }]);
});
