import { messagesOf } from '../../src/engine/core/log/messages.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import type { JsonObject } from '../../src/engine/core/json.js';
import { pending } from '../../src/engine/core/pending.js';
import { recordedState } from '../../src/engine/core/state/view/state-view.js';
import { statusOf } from '../../src/engine/core/state/status.js';
import { openGatesOf } from '../../src/engine/core/waits/gate.js';
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

function answer(run: SimulatedRun, unitId: string, metadata: JsonObject | null = null) {
  for (const command of pending(run.state)) {
    if (command.type !== 'execute-unit' || command.execution.unitId !== unitId) continue;
    const { id: executionId, attempt } = command.execution;
    const rest = { output: 1, patch: null, usage: null, metadata };
    return run.send({ type: 'unit-finished', at: 2_000, executionId, attempt, ...rest });
  }
  throw new Error(`${unitId} is not being called.`);
}

const resume = (run: SimulatedRun, pauseId: number | null = openPausesOf(run.state)[0]!) =>
  run.send({ type: 'resume', at: 3_000, pauseId, by: ANN });

function decide(run: SimulatedRun, approved: boolean, comment: string | null = null, gateId?: number) {
  const id = gateId ?? openGatesOf(run.state)[0]!.gateId;
  const decision = { gateId: id, approved, responder: 'bob', by: ANN, comment };
  return run.send({ type: 'decision', at: 4_000, ...decision });
}

const typesOf = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);

describe('a pause before a unit', () => {
  it('comes when its condition is true, and the unit is called after it without another pause', () => {
    const run = started([work('a', { pause: 'before', if: 'input.n == 1' }), work('b')]);
    expect(run.log.at(-1)).toMatchObject({ type: 'paused', reason: 'before', unitId: 'a' });
    expect([statusOf(run.state), pending(run.state)]).toEqual([
      'paused',
      [{ type: 'await-resume', pauseId: 2 }],
    ]);
    expect(typesOf(resume(run))).toEqual(['resumed', 'unit-scheduled']);
    expect([statusOf(run.state), openPausesOf(run.state)]).toEqual(['running', []]);
    expect(typesOf(answer(run, 'a'))).toEqual(['unit-finished', 'unit-scheduled']);
  });

  it('does not come for a unit that is skipped', () => {
    const run = started([
      work('a', { pause: 'before', if: 'false' }),
      work('s', { pause: 'after', if: 'false' }),
      work('b'),
    ]);
    expect(typesOf(run.log)).toEqual(['run-started', 'unit-skipped', 'unit-skipped', 'unit-scheduled']);
  });

  it('is lifted once, by its own id', () => {
    const run = started([work('a', { pause: 'before' }), work('b', { pause: 'before' })], {
      flow: { type: 'parallel', units: ['a', 'b'] },
    });
    const [first, second] = openPausesOf(run.state) as [number, number];
    expect(resume(run, 99)).toEqual([]);
    expect(resume(run, null)).toEqual([]);
    expect(resume(run, second)).toMatchObject([{ pauseId: second, executionId: null }, { unitId: 'b' }]);
    expect(resume(run, second)).toEqual([]);
    expect([openPausesOf(run.state), called(run)]).toEqual([[first], ['b']]);
  });
});

describe('a pause after a unit', () => {
  it('comes with the output written, and what follows begins after it', () => {
    const run = started([work('a', { pause: 'after' }), work('b')]);
    expect(answer(run, 'a')).toMatchObject([
      { type: 'unit-finished' },
      { type: 'paused', reason: 'after', unitId: 'a', executionId: null },
    ]);
    expect(recordedState(run.state)).toEqual({ n: 1, 'output.a': 1 });
    expect(typesOf(resume(run))).toEqual(['resumed', 'unit-scheduled']);
    expect(called(run)).toEqual(['b']);
  });

  it('keeps what the unit reported to the flow around it: a router continues along the route that it named', () => {
    const flow = { type: 'router', routerUnit: 'r', routes: { left: 'a', right: 'b' } };
    const run = started([work('r', { pause: 'after' }), work('a'), work('b')], { flow });
    answer(run, 'r', { route: 'right', other: 1 });
    expect(statusOf(run.state)).toBe('paused');
    resume(run);
    expect(called(run)).toEqual(['b']);
  });

  it('keeps it over a rewind to before the resume, too', () => {
    const flow = { type: 'router', routerUnit: 'r', routes: { left: 'a', right: 'b' } };
    const run = started([work('r', { pause: 'after' }), work('a'), work('b')], { flow });
    const [, paused] = answer(run, 'r', { route: 'right' });
    resume(run);
    expect(typesOf(run.rewind(paused!.seq))).toEqual(['rewound', 'branch-chosen', 'unit-scheduled']);
    expect(called(run)).toEqual(['b']);
  });
});

describe('a pause because something could not be decided', () => {
  const undecided = (run: SimulatedRun, executionId: number | null) =>
    run.send({ type: 'undecided', at: 2_500, executionId, error: 'no' });

  it('is one of the whole run, and names no unit, when it was no outcome of a unit', () => {
    const run = started([work('a')]);
    const [paused] = undecided(run, null);
    expect(paused).toMatchObject({ type: 'paused', reason: 'undecided', unitId: '', scope: '' });
    expect(messagesOf('run', paused!)[0]).toMatchObject({ reason: 'undecided', unitId: '', error: 'no' });
  });

  it('does not come for an execution that is not open', () => {
    const run = started([work('a'), gate('ask')]);
    expect(undecided(run, 99)).toEqual([]);
    answer(run, 'a');
    expect(undecided(run, 2)).toEqual([]);
  });
});

describe('a pause or gate that was open when the run failed', () => {
  it('takes no resume or decision any more', () => {
    const run = started([work('p', { pause: 'before' }), gate('ask'), work('a')], {
      flow: { type: 'parallel', units: ['p', 'ask', 'a'] },
    });
    const [pauseId] = openPausesOf(run.state) as [number];
    const { gateId } = openGatesOf(run.state)[0]!;
    run.send({ type: 'cancel', at: 2_000, by: ANN, graceMs: 0 });
    expect([resume(run, pauseId), decide(run, true, null, gateId)]).toEqual([[], []]);
  });
});

describe('the choice of a router', () => {
  it('is not in the messages as if it were work that was handed out', () => {
    const flow = { type: 'router', routerUnit: 'r', routes: { left: 'a' } };
    const run = started([work('r'), work('a')], { flow });
    const events = answer(run, 'r', { route: 'left' });
    expect(typesOf(events)).toContain('branch-chosen');
    expect(events.flatMap((event) => messagesOf('run', event)).map(({ type }) => type)).toEqual([
      'unit-output',
      'checkpoint',
    ]);
  });
});

describe('a rewind while pauses are open', () => {
  it('lifts the one that it goes back to, and leaves the others', () => {
    const run = started([work('a', { pause: 'before' }), work('b', { pause: 'before' })], {
      flow: { type: 'parallel', units: ['a', 'b'] },
    });
    const [first, second] = openPausesOf(run.state) as [number, number];
    run.rewind(second);
    expect([openPausesOf(run.state), called(run)]).toEqual([[first], ['b']]);
  });
});

describe('a gate', () => {
  it('says what is to be decided, and its decision is the output of its unit', () => {
    const run = started([gate('ask', { title: 'Sure?', payload: { n: '${{ input.n }}' } }), work('b')]);
    expect(openGatesOf(run.state)).toEqual([{ gateId: 2, unitId: 'ask', openedAt: 1_000, title: 'Sure?' }]);
    expect(pending(run.state)).toEqual([{ type: 'await-decision', gateId: 2 }]);
    const [decided] = decide(run, true, 'fine');
    expect(recordedState(run.state)).toEqual({
      n: 1,
      'output.ask': { approved: true, responder: 'bob', decidedAt: 4_000, comment: 'fine' },
      'hitl.approved': true,
      'hitl.responder': 'bob',
    });
    expect([called(run), openGatesOf(run.state)]).toEqual([['b'], []]);
    expect([...run.log.slice(1, 2), decided!].flatMap((event) => messagesOf('run', event))).toEqual([
      {
        type: 'hitl-request',
        timestamp: 1_000,
        unitId: 'ask',
        gateId: 2,
        action: 'Sure?',
        payload: { n: 1 },
      },
      { type: 'checkpoint', timestamp: 1_000, runId: 'run', snapshotId: 'run.2' },
      {
        type: 'hitl-response',
        timestamp: 4_000,
        gateId: 2,
        approved: true,
        responder: 'bob',
        via: 'in-process',
      },
      { type: 'checkpoint', timestamp: 4_000, runId: 'run', snapshotId: 'run.3' },
    ]);
  });

  it('that is rejected fails the run, naming who did so, and keeps the decision', () => {
    const run = started([gate('ask'), work('b')]);
    expect(typesOf(decide(run, false))).toEqual(['gate-decided', 'run-failed']);
    expect(run.state.error).toBe('Rejected by bob at gate ask');
    expect(recordedState(run.state)).toMatchObject({
      'output.ask': { approved: false, responder: 'bob', decidedAt: 4_000 },
      'hitl.approved': false,
    });
    expect(recordedState(run.state)['output.ask']).not.toHaveProperty('comment');
    expect(run.state.decisions.get(2)).toEqual({
      unitId: 'ask',
      approved: false,
      responder: 'bob',
      decidedAt: 4_000,
    });
    expect(typesOf(resume(run, null))).toEqual(['resumed', 'gate-opened']);
    expect(openGatesOf(run.state)).toHaveLength(1);
  });

  it('that lets a rejection pass continues as if it were approved, and records what it was', () => {
    const run = started([gate('ask', { onReject: 'continue' }), work('b')]);
    decide(run, false);
    expect([called(run), statusOf(run.state)]).toEqual([['b'], 'running']);
    expect(recordedState(run.state)).toMatchObject({ 'hitl.approved': false });
  });

  it('takes one decision, and none that is for another', () => {
    const run = started([gate('a'), gate('b')], { flow: { type: 'parallel', units: ['a', 'b'] } });
    const [first, second] = openGatesOf(run.state).map(({ gateId }) => gateId) as [number, number];
    expect(first).toBeLessThan(second);
    expect(decide(run, true, null, 99)).toEqual([]);
    expect(decide(run, true, null, second)).toHaveLength(2);
    expect(decide(run, false, null, second)).toEqual([]);
    expect(openGatesOf(run.state).map(({ unitId }) => unitId)).toEqual(['a']);
  });
});
