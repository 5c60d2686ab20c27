import { foldLog } from '../../src/engine/core/fold-log.js';
import type { NewEvent } from '../../src/engine/core/log/event.js';
import { stampEvent } from '../../src/engine/core/log/event-kinds.js';
import type { JsonObject } from '../../src/engine/core/json.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { recordedState, viewOf } from '../../src/engine/core/state/view/state-view.js';
import { pending } from '../../src/engine/core/pending.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
const set = (id: string, values: JsonObject) => ({ id, uses: 'builtin.set', config: { values } });

function started(units: readonly object[], flow?: unknown, input: JsonObject = {}): SimulatedRun {
  const plan = compileText(document('w', units, flow === undefined ? {} : { flow }));
  return new SimulatedRun(plan, { maxStateChars: Infinity }, input);
}

/** What stands in the state that the one open execution of the unit reads, in the order of its keys. */
function readBy(run: SimulatedRun, unitId: string): readonly (readonly [string, unknown])[] {
  const [execution] = pending(run.state).flatMap((command) =>
    command.type === 'execute-unit' && command.execution.unitId === unitId ? [command.execution] : [],
  );
  const view = viewOf(run.plan, run.state, execution!.scope);
  return [...view.keys()].map((key) => {
    expect(view.has(key)).toBe(true);
    return [key, view.get(key)] as const;
  });
}

function answer(run: SimulatedRun, unitId: string, output: unknown, patch: JsonObject | null = null) {
  for (const command of pending(run.state)) {
    if (command.type !== 'execute-unit' || command.execution.unitId !== unitId) continue;
    const { id: executionId, attempt } = command.execution;
    const answered = { executionId, attempt, output: output as string, patch, usage: null, metadata: null };
    return run.send({ type: 'unit-finished', at: 2_000, ...answered });
  }
  throw new Error(`${unitId} is not being called.`);
}

const sequence = (...order: readonly unknown[]) => ({ type: 'sequential', order });
const recorded = (run: SimulatedRun) => Object.entries(recordedState(run.state));

describe('the state of a record', () => {
  it('has its keys in the order in which they were written last, those of one unit as it wrote them', () => {
    const run = started(
      [set('one', { z: 1, y: 1 }), set('two', { b: 2, a: 2 }), set('three', { z: 3 }), work('w')],
      undefined,
      { n: 0, m: 0 },
    );
    const expected = [
      ['n', 0],
      ['m', 0],
      ['y', 1],
      ['b', 2],
      ['a', 2],
      ['z', 3],
    ];
    expect(recorded(run)).toEqual(expected);
    expect(readBy(run, 'w')).toEqual(expected);
  });

  it('keeps that order however many keys there are', () => {
    const keys = Array.from({ length: 60 }, (_, index) => `k${(index * 37) % 60}`);
    const units = keys.map((key, index) => set(`s${index}`, { [key]: index, [`${key}x`]: index }));
    const run = started([...units, work('w')]);
    expect(recorded(run).map(([key]) => key)).toEqual(keys.flatMap((key) => [key, `${key}x`]));
    expect(readBy(run, 'w').map(([key]) => key)).toEqual(keys.flatMap((key) => [key, `${key}x`]));
  });

  it('is empty before the first write', () => {
    expect(recordedState(INITIAL_STATE)).toEqual({});
    expect(recordedState(started([work('a')]).state)).toEqual({});
  });

  it('holds the writes of open branches, of which the one declared last wins, whichever wrote last', () => {
    const run = started([work('a'), work('b'), work('c'), work('d')], {
      type: 'parallel',
      units: [sequence('a', 'c'), sequence('b', 'd')],
    });
    answer(run, 'b', 'of b', { who: 'b' });
    expect(recorded(run)).toEqual([
      ['output.b', 'of b'],
      ['who', 'b'],
    ]);
    answer(run, 'a', 'of a', { who: 'a' });
    expect(recorded(run)).toEqual([
      ['output.b', 'of b'],
      ['who', 'b'],
      ['output.a', 'of a'],
    ]);
    answer(run, 'c', 1);
    answer(run, 'd', 1);
    expect(recordedState(run.state)).toMatchObject({ who: 'b' });
  });

  it('lets the twelfth pass win over the second, and a branch over what is around it', () => {
    const list = Array.from({ length: 12 }, (_, index) => index);
    const run = started(
      [set('before', { who: 'nobody' }), work('a', { with: { i: '${{ item }}' } }), work('b')],
      sequence('before', {
        type: 'foreach',
        items: 'input.list',
        do: sequence('a', 'b'),
        maxConcurrency: 12,
      }),
      { list },
    );
    const calls = pending(run.state).flatMap((command) =>
      command.type === 'execute-unit' ? [command.execution.id] : [],
    );
    for (const index of [11, 1, 2]) {
      const rest = { usage: null, metadata: null, patch: { who: `pass ${index}` } };
      run.send({
        type: 'unit-finished',
        at: 2_000,
        executionId: calls[index]!,
        attempt: 1,
        output: 1,
        ...rest,
      });
      expect(recordedState(run.state)).toMatchObject({ who: 'pass 11' });
    }
  });

  it('holds the writes of branches in branches over those of the branch around them', () => {
    const run = started(
      [set('x', { who: 'x', x: 1 }), work('a'), set('y', { who: 'y' }), work('b'), work('c')],
      {
        type: 'parallel',
        units: [sequence('x', { type: 'parallel', units: [sequence('y', 'a'), 'b'] }), 'c'],
      },
    );
    expect(recordedState(run.state)).toEqual({ who: 'y', x: 1 });
    expect(Object.fromEntries(readBy(run, 'a'))).toEqual({ who: 'y', x: 1 });
    expect(Object.fromEntries(readBy(run, 'b'))).toEqual({ who: 'x', x: 1 });
    expect(readBy(run, 'c')).toEqual([]);
  });

  it('holds what a failed branch wrote that a resumed run takes up again', () => {
    const run = started(
      [set('x', { x: 1 }), { id: 'f', uses: 'builtin.fail', config: { message: 'no' } }, work('c')],
      {
        type: 'parallel',
        failureStrategy: 'collect-errors',
        units: [
          sequence('x', { type: 'parallel', units: [sequence({ type: 'parallel', units: ['f'] })] }),
          'c',
        ],
      },
    );
    expect(pending(run.state)).toHaveLength(1);
    expect(recordedState(run.state)).toEqual({ x: 1 });
  });

  it('shows keys that every object has as any other, and no prototype', () => {
    const events: readonly NewEvent[] = [
      {
        type: 'state-written',
        path: '/p',
        scope: '',
        unitId: 'u',
        values: { constructor: 1, toString: null },
      },
    ];
    const state = foldLog(
      INITIAL_STATE,
      events.map((event) => stampEvent(event, 1, 1)),
    );
    expect(Object.entries(recordedState(state))).toEqual([
      ['constructor', 1],
      ['toString', null],
    ]);
  });
});

describe('what a unit reads of the state', () => {
  it('is nothing, before anything was written', () => {
    const run = started([work('a')]);
    expect(readBy(run, 'a')).toEqual([]);
    const view = viewOf(run.plan, run.state, '');
    expect([view.get('x'), view.has('x')]).toEqual([undefined, false]);
  });

  it('has a key that holds null, and none that was not written', () => {
    const run = started([set('s', { x: null }), work('a')]);
    const view = viewOf(run.plan, run.state, '');
    expect([view.has('x'), view.get('x'), view.has('y'), view.get('y')]).toEqual([
      true,
      null,
      false,
      undefined,
    ]);
  });

  it('is its own branch over what is around it, and nothing of the branches next to it', () => {
    const run = started(
      [set('s', { who: 'all', s: 1 }), set('x', { who: 'x' }), work('a'), set('y', { y: 1 }), work('b')],
      sequence('s', { type: 'parallel', units: [sequence('x', 'a'), sequence('y', 'b')] }),
    );
    expect(readBy(run, 'a')).toEqual([
      ['s', 1],
      ['who', 'x'],
    ]);
    expect(readBy(run, 'b')).toEqual([
      ['who', 'all'],
      ['s', 1],
      ['y', 1],
    ]);
  });

  it('is, in a dag, what all wrote that it waited for, of which the one declared last wins, and no others', () => {
    const executors = ['a', 'b', 'c', 'd', 'other'];
    const dependencies = { b: ['a'], c: ['a'], d: ['b', 'c'] };
    const run = started(
      executors.map((id) => work(id)),
      { type: 'dag', executors, dependencies },
      { start: 1 },
    );
    answer(run, 'a', 'of a', { who: 'a', first: 'a' });
    answer(run, 'other', 'of other', { who: 'other', other: 1 });
    answer(run, 'c', 'of c', { who: 'c' });
    answer(run, 'b', 'of b', { who: 'b' });
    expect(Object.fromEntries(readBy(run, 'd'))).toEqual({
      start: 1,
      first: 'a',
      who: 'c',
      'output.a': 'of a',
      'output.b': 'of b',
      'output.c': 'of c',
    });
    expect(readBy(run, 'd').map(([key]) => key)).toEqual([
      'start',
      'output.a',
      'first',
      'output.c',
      'who',
      'output.b',
    ]);
  });
});
