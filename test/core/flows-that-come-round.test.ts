import type { JsonObject, JsonValue } from '../../src/engine/core/json.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { messagesOf } from '../../src/engine/core/log/messages.js';
import { pending } from '../../src/engine/core/pending.js';
import { inputOf } from '../../src/engine/core/state/execution-input.js';
import { recordedState } from '../../src/engine/core/state/view/state-view.js';
import { statusOf } from '../../src/engine/core/state/status.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });

function started(units: readonly object[], flow: unknown, input: JsonObject = {}): SimulatedRun {
  const plan = compileText(document('w', units, { flow }));
  return new SimulatedRun(plan, { maxStateChars: Infinity }, input);
}

const open = (run: SimulatedRun) =>
  pending(run.state).flatMap((command) => (command.type === 'execute-unit' ? [command.execution] : []));
/** The units that are being called, with what they are given. */
const calls = (run: SimulatedRun) =>
  open(run).map((execution) => [execution.unitId, inputOf(run.state, execution)]);

function answer(run: SimulatedRun, output: JsonValue = 1, metadata: JsonObject | null = null) {
  const { id: executionId, attempt } = open(run)[0]!;
  const rest = { output, patch: null, usage: null, metadata };
  return run.send({ type: 'unit-finished', at: 2_000, executionId, attempt, ...rest });
}

const messages = (events: readonly RunEvent[]) => events.flatMap((event) => messagesOf('run', event));

describe('a loop', () => {
  const counting = (more: object) =>
    started([work('a', { with: { pass: '${{ iteration }}' } })], { type: 'loop', do: 'a', ...more });

  it('counts its passes from 0, and ends after as many as it may have', () => {
    const run = counting({ maxIterations: 3 });
    const passes: unknown[] = [];
    while (open(run).length > 0) {
      passes.push(...calls(run));
      answer(run);
    }
    expect(passes).toEqual([0, 1, 2].map((pass) => ['a', { pass }]));
    expect(statusOf(run.state)).toBe('completed');
  });

  it('ends as soon as its condition is true, and begins at 0 when it is entered anew', () => {
    const inner = { type: 'loop', do: 'a', maxIterations: 5, until: 'state["output.a"] == "done"' };
    const run = started([work('a', { with: { pass: '${{ iteration }}' } }), work('b')], {
      type: 'loop',
      maxIterations: 2,
      do: { type: 'sequential', order: [inner, 'b'] },
    });
    const seen: unknown[] = [];
    for (const output of ['on', 'done', 'b', 'on', 'on', 'done', 'b']) {
      seen.push(calls(run)[0]);
      answer(run, output);
    }
    expect(seen).toEqual([
      ['a', { pass: 0 }],
      ['a', { pass: 1 }],
      ['b', {}],
      ['a', { pass: 0 }],
      ['a', { pass: 1 }],
      ['a', { pass: 2 }],
      ['b', {}],
    ]);
    expect(statusOf(run.state)).toBe('completed');
  });
});

describe('a delegation', () => {
  const delegating = (maxRounds = 2) =>
    started([work('boss'), work('x'), work('y')], {
      type: 'delegation',
      orchestrator: 'boss',
      specialists: ['x', 'y'],
      maxRounds,
    });
  const to = (...targets: readonly (readonly [string, JsonValue?])[]) => ({
    delegations: targets.map(([targetUnitId, task]) => ({
      targetUnitId,
      ...(task === undefined ? {} : { task }),
    })),
  });

  it('hands out each task in order, and calls the orchestrator again after each round until there is none', () => {
    const run = delegating();
    expect(calls(run)).toEqual([['boss', {}]]);
    const handed = answer(run, 1, to(['y', 'first'], ['x'], ['y', { n: 3 }]));
    expect(messages(handed).filter(({ type }) => type === 'delegation')).toEqual([
      { type: 'delegation', timestamp: 2_000, sourceUnitId: 'boss', targetUnitId: 'y', task: 'first' },
    ]);
    expect(calls(run)).toEqual([['y', { task: 'first' }]]);
    answer(run);
    expect(calls(run)).toEqual([['x', {}]]);
    answer(run);
    expect(calls(run)).toEqual([['y', { task: { n: 3 } }]]);
    answer(run);
    expect(calls(run)).toEqual([['boss', {}]]);
    answer(run, 2, to(['x', 'again']));
    expect(calls(run)).toEqual([['x', { task: 'again' }]]);
    answer(run);
    expect(calls(run)).toEqual([['boss', {}]]);
    answer(run, 3, to());
    expect(statusOf(run.state)).toBe('completed');
  });

  it('fails after as many rounds as it may have, if there is still work to hand out', () => {
    const run = delegating(2);
    for (let round = 0; round < 2; round++) {
      answer(run, 1, to(['x']));
      answer(run);
    }
    answer(run, 1, to(['x']));
    expect(run.state.phase).toBe('failed');
    expect(run.state.error).toContain('still hands out work after 2 rounds');
  });

  it('fails when the work is for a unit that it does not know', () => {
    const run = delegating();
    answer(run, 1, to(['stranger']));
    expect(run.state.error).toBe(
      'The delegation at /spec/flow was asked for "stranger"; its specialists are x, y.',
    );
  });
});

describe('a foreach', () => {
  it('joins its passes in the order of the items, and counts what they wrote once', () => {
    const run = started(
      [work('a', { with: { item: '${{ item }}', index: '${{ index }}' } }), work('b')],
      {
        type: 'sequential',
        order: [{ type: 'foreach', items: 'input.list', do: 'a', maxConcurrency: 1, collect: 'all' }, 'b'],
      },
      { list: ['p', 'q'] },
    );
    expect(calls(run)).toEqual([['a', { item: 'p', index: 0 }]]);
    answer(run, 'of p');
    expect(calls(run)).toEqual([['a', { item: 'q', index: 1 }]]);
    answer(run, 'of q');
    expect(recordedState(run.state)).toMatchObject({ 'output.a': 'of q', all: ['of p', 'of q'] });
    expect(calls(run)).toMatchObject([['b', {}]]);
    const plain = started([work('b')], 'b', {
      list: ['p', 'q'],
      'output.a': 'of q',
      all: ['of p', 'of q'],
    });
    expect(run.state.stateChars).toBe(plain.state.stateChars);
    expect(run.state.forks.size).toBe(0);
  });

  it('of nothing is done at once', () => {
    const run = started([work('a')], { type: 'foreach', items: '[]', do: 'a', collect: 'all' });
    expect([statusOf(run.state), recordedState(run.state)]).toEqual(['completed', { all: [] }]);
  });
});
