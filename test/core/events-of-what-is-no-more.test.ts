import { evolve } from '../../src/engine/core/evolve.js';
import type { NewEvent, RunEvent } from '../../src/engine/core/log/event.js';
import { eventKind, stampEvent } from '../../src/engine/core/log/event-kinds.js';
import { pending, pendingAfter } from '../../src/engine/core/pending.js';
import { encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document, gate } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });

function started(units: readonly object[], spec: object = {}) {
  return new SimulatedRun(compileText(document('w', units, spec)));
}

/** The events that end or change a wait, here one that is not open. */
const late = (id: number): readonly NewEvent[] => {
  const execution = { executionId: id, unitId: 'a', attempt: 1 };
  const answer = { output: 1, patch: { x: 1 }, usage: { tokens: 1, cost: 1 }, metadata: null };
  const failure = { ...execution, error: 'no', outcome: 'unknown' } as const;
  const decision = { approved: true, responder: 'ann', by: ANN, comment: null, failed: false };
  return [
    { type: 'unit-finished', ...execution, ...answer },
    { type: 'unit-attempt-failed', ...failure, retryAt: 5_000 },
    { type: 'unit-failed', ...failure, retryable: true },
    { type: 'recovered', executionIds: [id] },
    { type: 'gate-decided', gateId: id, unitId: 'a', ...decision },
    { type: 'timer-fired', timerId: id, unitId: 'a' },
    { type: 'resumed', pauseId: id, executionId: null, by: ANN },
  ];
};

/** What any event changes, whatever its type. */
const PLACE = ['logChars', 'seq', 'eventAt', 'updatedAt', 'checkpoint'];

describe('an event about a wait that is not open', () => {
  const types = late(0).map(({ type }) => [type] as const);

  it.each(types)('%s is folded without effect, whether it never was or is of another kind', (type) => {
    // The units a and b are called, the gate and the pause are open; event 1 opened nothing, 99 is none.
    const run = started([work('a'), work('b'), gate('ask'), work('p', { pause: 'before' })], {
      flow: { type: 'parallel', units: ['a', 'b', 'ask', 'p'] },
    });
    const opened = [...run.state.waits.values()];
    expect(opened.map(({ kind }) => kind).sort()).toEqual(['execution', 'execution', 'gate', 'pause']);
    const own = { gate: ['gate-decided'], pause: ['resumed'], timer: ['timer-fired'] };
    const others = opened.filter(({ kind }) => {
      const ends = kind === 'execution' ? types.map(([each]) => each).slice(0, 4) : own[kind as 'gate'];
      return !(ends as readonly string[]).includes(type);
    });
    for (const id of [1, 99, ...others.map((wait) => wait.id)]) {
      const event = late(id).find((each) => each.type === type)!;
      const stamped = stampEvent(event, run.state.seq + 1, run.state.eventAt);
      const before = encodeState(run.state) as Record<string, unknown>;
      const after = encodeState(evolve(run.state, stamped)) as Record<string, unknown>;
      for (const field of PLACE) after[field] = before[field];
      expect(after).toEqual(before);
    }
  });
});

const nothing = { commands: [], isWhole: false, released: [], mayHaveReleasedOthers: false };

describe('what events add to what is to be done', () => {
  it('is what they opened or changed and is still open, once each, in the order in which it was opened', () => {
    const run = started([work('a'), work('b'), gate('ask')], {
      flow: { type: 'parallel', units: ['a', 'b', 'ask'] },
    });
    const all = pending(run.state);
    expect(all.map(({ type }) => type)).toEqual(['execute-unit', 'execute-unit', 'await-decision']);
    expect(pendingAfter(run.state, run.log)).toEqual({ ...nothing, commands: all });
    expect(pendingAfter(run.state, [...run.log, ...run.log].toReversed()).commands).toEqual(all);
    expect(pendingAfter(run.state, [])).toEqual(nothing);
    const scheduled = run.log.find(({ type }) => type === 'unit-scheduled')!;
    run.answer(all[0]!);
    expect(pendingAfter(run.state, [scheduled])).toEqual({ ...nothing, released: [scheduled.seq] });
    expect(pendingAfter(run.state, run.log).commands).toEqual(all.slice(1));
  });

  it('includes an execution that is tried again, recovered or released by a resume', () => {
    const run = started([work('a')]);
    const { seq: executionId } = run.log.find(({ type }) => type === 'unit-scheduled')!;
    const failure = { executionId, attempt: 1, error: 'no', retryable: true, outcome: 'refused' } as const;
    const calls = (events: readonly RunEvent[]) => pendingAfter(run.state, events).commands;
    const again = [{ type: 'execute-unit', execution: { id: executionId, attempt: 2 } }];
    const failed = run.send({ type: 'unit-attempt-failed', at: 1_100, ...failure, retryAfterMs: 100 });
    expect(calls(failed)).toMatchObject(again);
    const recovered = run.send({ type: 'recover', at: 1_200, begun: [{ executionId, attempt: 2 }] });
    expect(calls(recovered)).toMatchObject(again);
    const paused = run.send({ type: 'undecided', at: 1_300, executionId, error: 'no' });
    expect(calls(paused)).toEqual([{ type: 'await-resume', pauseId: paused[0]!.seq }]);
    expect(pendingAfter(run.state, paused).released).toEqual([executionId]);
    expect(pending(run.state)).toEqual(calls(paused));
    const resumed = run.send({ type: 'resume', at: 1_400, pauseId: paused[0]!.seq, by: ANN });
    expect(calls(resumed)).toMatchObject(again);
  });

  it('is all there is once a failed run is tried again, or a suspended one continues', () => {
    const run = started([work('a'), work('b')], { flow: { type: 'parallel', units: ['a', 'b'] } });
    const { seq: executionId } = run.log.find(({ type }) => type === 'unit-scheduled')!;
    const failure = { executionId, attempt: 1, error: 'no', retryable: false, outcome: 'refused' } as const;
    const failed = run.send({ type: 'unit-attempt-failed', at: 1_100, ...failure, retryAfterMs: null });
    expect(pendingAfter(run.state, failed)).toMatchObject({ commands: [], mayHaveReleasedOthers: true });
    const again = run.send({ type: 'resume', at: 1_200, pauseId: null, by: ANN });
    expect(pendingAfter(run.state, again)).toMatchObject({ commands: pending(run.state), isWhole: true });
    expect(pending(run.state)).toHaveLength(2);
    const [paused] = run.send({ type: 'pause', at: 1_300, by: ANN, graceMs: 0 });
    const aside = pendingAfter(run.state, [paused!]);
    expect(aside).toMatchObject({ commands: pending(run.state), mayHaveReleasedOthers: true });
    const goneOn = run.send({ type: 'resume', at: 1_400, pauseId: paused!.seq, by: ANN });
    expect(pendingAfter(run.state, goneOn)).toMatchObject({ commands: pending(run.state), isWhole: true });
    expect(pending(run.state)).toHaveLength(2);
  });

  it.each<readonly [string, boolean, Partial<NewEvent>]>([
    ['a branch that ended well', false, { type: 'branch-closed', error: null }],
    ['a branch that failed', true, { type: 'branch-closed', error: 'no' }],
    ['a pause that was lifted', false, { type: 'resumed', pauseId: 3 }],
    ['a failed run that is tried again', true, { type: 'resumed', pauseId: null }],
    ['a rewind', true, { type: 'rewound' }],
    ['the end of the run', true, { type: 'run-completed' }],
    ['its failure', true, { type: 'run-failed' }],
    ['its being cancelled', true, { type: 'run-cancelled' }],
    ['a join', false, { type: 'node-closed' }],
    ['an answer', false, { type: 'unit-finished' }],
    ['a note', false, { type: 'request-noted' }],
  ])('may take others away with %s: %s', (_what, expected, event) => {
    const { sweeps } = eventKind(event.type!);
    expect(sweeps(event as RunEvent)).toBe(expected);
  });
});
