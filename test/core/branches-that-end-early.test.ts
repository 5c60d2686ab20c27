import { foldLog } from '../../src/engine/core/fold-log.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { pending } from '../../src/engine/core/pending.js';
import { CHARS_OF_A_SCOPE, CHARS_OF_A_WAIT } from '../../src/engine/core/state/overhead.js';
import { encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { recordedState } from '../../src/engine/core/state/view/state-view.js';
import { statusOf } from '../../src/engine/core/state/status.js';
import { openGatesOf } from '../../src/engine/core/waits/gate.js';
import { openPausesOf } from '../../src/engine/core/waits/pause.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document, gate } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
const parallel = (failureStrategy: string, ...units: readonly unknown[]) => ({
  type: 'parallel',
  failureStrategy,
  units,
});

function started(units: readonly object[], flow: unknown, input = {}): SimulatedRun {
  const plan = compileText(document('w', units, { flow }));
  return new SimulatedRun(plan, { maxStateChars: Infinity }, input);
}

const called = (run: SimulatedRun): readonly string[] =>
  pending(run.state).flatMap((command) =>
    command.type === 'execute-unit' ? [command.execution.unitId] : [],
  );

function open(run: SimulatedRun, unitId: string): { executionId: number; attempt: number } {
  for (const command of pending(run.state)) {
    if (command.type !== 'execute-unit' || command.execution.unitId !== unitId) continue;
    return { executionId: command.execution.id, attempt: command.execution.attempt };
  }
  throw new Error(`${unitId} is not being called.`);
}

function fail(run: SimulatedRun, unitId: string, retryAfterMs: number | null = null) {
  const failure = { error: 'no', retryable: retryAfterMs !== null, outcome: 'refused' } as const;
  return run.send({
    type: 'unit-attempt-failed',
    at: 2_000,
    ...open(run, unitId),
    ...failure,
    retryAfterMs,
  });
}

function answer(run: SimulatedRun, unitId: string, output = 'done') {
  const rest = { patch: null, usage: null, metadata: null };
  return run.send({ type: 'unit-finished', at: 2_000, ...open(run, unitId), output, ...rest });
}

const resume = (run: SimulatedRun, pauseId: number | null) =>
  run.send({ type: 'resume', at: 3_000, pauseId, by: ANN });
const typesOf = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);
const expectSameWhenLoaded = (run: SimulatedRun) =>
  expect(encodeState(foldLog(INITIAL_STATE, run.log))).toEqual(encodeState(run.state));

describe('a branch that fails permanently, inside a loop', () => {
  const inside: readonly (readonly [string, unknown])[] = [
    ['a parallel', { type: 'parallel', units: ['a', 'b'], maxConcurrency: 1 }],
    ['a foreach', { type: 'foreach', items: '[1, 2, 3]', do: { type: 'sequential', order: ['a', 'b'] } }],
  ];

  it.each(inside)('leaves nothing of %s behind: the next pass begins as the first did', (_what, flow) => {
    const run = started([work('a'), work('b'), work('c')], {
      type: 'loop',
      maxIterations: 3,
      do: parallel('best-effort', flow, 'c'),
    });
    const { stateChars } = run.state;
    const first = called(run);
    fail(run, 'a');
    const failed = run.state.stateChars;
    expect(failed).toBeLessThan(stateChars + 1);
    expect(called(run)).toEqual(['c']);
    answer(run, 'c');
    expect(called(run)).toEqual(first);
    const second = run.state.stateChars;
    fail(run, 'a');
    answer(run, 'c');
    expect(called(run)).toEqual(first);
    expect(run.state.stateChars).toBe(second);
    expectSameWhenLoaded(run);
  });

  it('takes everything with it that waited in it, however deep, and nothing next to it', () => {
    const run = started(
      [work('a'), work('b', { pause: 'before' }), gate('ask'), work('late'), work('c'), gate('beside')],
      parallel(
        'best-effort',
        parallel('fail-fast', 'a', parallel('fail-fast', 'b', 'ask'), 'late'),
        'c',
        'beside',
      ),
    );
    fail(run, 'late', 5_000);
    expect([called(run), openPausesOf(run.state), openGatesOf(run.state)]).toMatchObject([
      ['a', 'late', 'c'],
      [expect.any(Number)],
      [{ unitId: 'ask' }, { unitId: 'beside' }],
    ]);
    const types = typesOf(fail(run, 'a'));
    expect(types).toEqual(['unit-failed', 'branch-closed', 'gate-closed']);
    expect([called(run), openPausesOf(run.state), openGatesOf(run.state)]).toMatchObject([
      ['c'],
      [],
      [{ unitId: 'beside' }],
    ]);
    expect(pending(run.state).map(({ type }) => type)).toEqual(['execute-unit', 'await-decision']);
    expect([...run.state.scopes.keys()]).toHaveLength(4);
    expectSameWhenLoaded(run);
  });

  it('may do so before its first event', () => {
    for (const strategy of ['best-effort', 'collect-errors']) {
      const broken = { id: 'f', uses: 'builtin.fail', config: { message: 'Broken' } };
      const run = started([broken, work('c')], parallel(strategy, 'f', 'c'));
      expect(called(run)).toEqual(['c']);
      answer(run, 'c');
      const error = strategy === 'best-effort' ? null : '1 of 2 branches failed: Broken';
      expect([run.state.phase, run.state.error]).toEqual([error === null ? 'completed' : 'failed', error]);
      expectSameWhenLoaded(run);
    }
  });

  it('gives back the size of all that was written and opened in it', () => {
    const units = [work('a'), work('b'), work('c'), work('d')];
    const passes = {
      type: 'foreach',
      items: '["one", "two"]',
      do: { type: 'sequential', order: ['a', 'b'] },
      maxConcurrency: 2,
    };
    const flow = parallel('best-effort', parallel('fail-fast', passes, 'd'), 'c');
    const run = started(units, flow);
    const empty = started(units, parallel('best-effort', 'c')).state.stateChars;
    answer(run, 'a', 'x'.repeat(500));
    answer(run, 'a', 'x'.repeat(500));
    expect(run.state.stateChars).toBeGreaterThan(empty + 1_000);
    fail(run, 'd');
    // The branch itself is open until the join.
    expect(run.state.stateChars).toBe(empty + CHARS_OF_A_SCOPE);
    expectSameWhenLoaded(run);
  });

  it('writes nothing, but for its error', () => {
    const run = started(
      [work('a'), work('b'), work('c')],
      parallel('best-effort', { type: 'sequential', order: ['a', 'b'] }, 'c'),
    );
    answer(run, 'a');
    answer(run, 'c');
    fail(run, 'b');
    expect(statusOf(run.state)).toBe('completed');
    expect(recordedState(run.state)).toEqual({
      'output.c': 'done',
      'errors.b': 'Unit b failed after 1 attempt(s): no',
    });
  });
});

describe('a failed branch that a resumed run is to take up again', () => {
  const deep = () =>
    started(
      [work('a'), work('b'), work('after', { pause: 'after' }), gate('ask'), work('c')],
      parallel(
        'collect-errors',
        parallel('fail-fast', 'a', { type: 'parallel', units: ['b', 'after', 'ask'] }),
        'c',
      ),
    );

  it('stays parked until then: neither a recovery nor a resume elsewhere moves anything in it', () => {
    const run = deep();
    answer(run, 'after');
    fail(run, 'a');
    expect(called(run)).toEqual(['c']);
    expect(run.send({ type: 'continue', at: 2_000 })).toEqual([]);
    expect(run.send({ type: 'recover', at: 2_000, begun: [] })).toEqual([]);
    expect([called(run), openGatesOf(run.state), openPausesOf(run.state)]).toEqual([['c'], [], []]);
    expectSameWhenLoaded(run);
  });

  it('keeps what completed in it and calls again what had not, once the run failed and is resumed', () => {
    const run = deep();
    answer(run, 'b');
    const afterwards = run.state.stateChars;
    fail(run, 'a');
    expect(run.state.stateChars).toBeLessThan(afterwards + 1);
    answer(run, 'c');
    expect([run.state.phase, run.state.error]).toEqual([
      'failed',
      '1 of 2 branches failed: Unit a failed after 1 attempt(s): no',
    ]);
    expect(pending(run.state)).toEqual([]);
    resume(run, null);
    expect([called(run), openGatesOf(run.state)]).toMatchObject([['a', 'after'], [{ unitId: 'ask' }]]);
    expectSameWhenLoaded(run);
    answer(run, 'a');
    answer(run, 'after');
    resume(run, openPausesOf(run.state)[0]!);
    run.answer(pending(run.state)[0]!);
    expect(statusOf(run.state)).toBe('completed');
    expect(Object.keys(recordedState(run.state)).sort()).toEqual([
      'hitl.approved',
      'hitl.responder',
      'output.a',
      'output.after',
      'output.ask',
      'output.b',
      'output.c',
    ]);
  });

  it('is past a pause that was open in it, as it would have been after its resume', () => {
    const run = deep();
    answer(run, 'after');
    expect(openPausesOf(run.state)).toHaveLength(1);
    fail(run, 'a');
    answer(run, 'c');
    expect(openPausesOf(run.state)).toEqual([]);
    resume(run, null);
    expect([called(run), openPausesOf(run.state)]).toEqual([['a', 'b'], []]);
  });

  it('may fail again, as often as it is tried', () => {
    const run = deep();
    fail(run, 'a');
    answer(run, 'c');
    for (let tries = 0; tries < 2; tries++) {
      resume(run, null);
      expect(called(run)).toEqual(['a', 'b', 'after']);
      expect(typesOf(fail(run, 'a'))).toEqual(['unit-failed', 'branch-closed', 'gate-closed', 'run-failed']);
      expect(run.state.error).toBe('1 of 2 branches failed: Unit a failed after 1 attempt(s): no');
    }
    expectSameWhenLoaded(run);
  });

  it('is given up with all that is in it when the branch around it fails permanently', () => {
    const run = started(
      [work('a'), work('b'), work('c'), work('d')],
      parallel('best-effort', parallel('fail-fast', parallel('collect-errors', 'a', 'b'), 'c'), 'd'),
    );
    fail(run, 'a');
    expect(called(run)).toEqual(['b', 'c', 'd']);
    fail(run, 'c');
    expect(called(run)).toEqual(['d']);
    expect([run.state.stateChars, run.state.forks.size]).toEqual([2 * CHARS_OF_A_SCOPE + CHARS_OF_A_WAIT, 1]);
    answer(run, 'd');
    expect(recordedState(run.state)).toEqual({
      'errors.c': 'Unit c failed after 1 attempt(s): no',
      'output.d': 'done',
    });
  });
});
