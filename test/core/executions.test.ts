import type { RunEvent } from '../../src/engine/core/log/event.js';
import { messagesOf } from '../../src/engine/core/log/messages.js';
import type { JsonObject, JsonValue } from '../../src/engine/core/json.js';
import { pending } from '../../src/engine/core/pending.js';
import { inputOf } from '../../src/engine/core/state/execution-input.js';
import { recordedState } from '../../src/engine/core/state/view/state-view.js';
import { openExecutionsOf, statusOf } from '../../src/engine/core/state/status.js';
import type { Execution } from '../../src/engine/core/waits/execution.js';
import { CHARS_OF_A_WAIT, charsOfKeys } from '../../src/engine/core/state/overhead.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
const tries = (maxAttempts: number) => ({ policyOverrides: { retry: { maxAttempts } } });

function started(units: readonly object[], spec: object = {}, input: JsonObject = { n: 1 }): SimulatedRun {
  return new SimulatedRun(compileText(document('w', units, spec)), { maxStateChars: Infinity }, input);
}

function openOf(run: SimulatedRun): Execution {
  const [command] = pending(run.state);
  if (command?.type !== 'execute-unit') throw new Error('Nothing is being called.');
  return command.execution;
}

function fails(
  run: SimulatedRun,
  outcome: 'refused' | 'unknown',
  retryable: boolean,
  attempt = openOf(run).attempt,
) {
  const failure = { error: 'no', outcome, retryable, retryAfterMs: 500 } as const;
  return run.send({
    type: 'unit-attempt-failed',
    at: 2_000,
    executionId: openOf(run).id,
    attempt,
    ...failure,
  });
}

function answers(run: SimulatedRun, output: JsonValue, more: object = {}, attempt = openOf(run).attempt) {
  const rest = { patch: null, usage: null, metadata: null, ...more };
  return run.send({
    type: 'unit-finished',
    at: 3_000,
    executionId: openOf(run).id,
    attempt,
    output,
    ...rest,
  });
}

const retry = (run: SimulatedRun) => run.send({ type: 'resume', at: 4_000, pauseId: null, by: ANN });
const typesOf = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);
const told = (events: readonly RunEvent[]) =>
  events.flatMap((event) => messagesOf('run', event)).filter(({ type }) => type !== 'checkpoint');

describe('an execution', () => {
  it("of a unit without a `with` is given the run's input, which counts only once", () => {
    const input = { text: 'x'.repeat(300) };
    const run = started([work('a')], {}, input);
    const execution = openOf(run);
    expect(execution).not.toHaveProperty('input');
    expect(inputOf(run.state, execution)).toEqual(input);
    const copied = started([work('a', { with: { text: '${{ input.text }}' } })], {}, input);
    expect(inputOf(copied.state, openOf(copied))).toEqual(input);
    expect(copied.state.stateChars - run.state.stateChars).toBeGreaterThan(300);
    expect(run.state.stateChars).toBeLessThan(400 + CHARS_OF_A_WAIT + charsOfKeys(1));
    const paused = started([work('a', { pause: 'before' })], {}, input);
    expect(run.state.stateChars).toBe(paused.state.stateChars);
  });

  it('is tried as often as its unit may be, and then the run fails', () => {
    const run = started([work('a', tries(2))]);
    expect(openOf(run)).toMatchObject({ attempt: 1, retryAt: 0, key: openOf(run).id });
    expect(openExecutionsOf(run.state)).toBe(1);
    expect(fails(run, 'refused', true)).toMatchObject([{ type: 'unit-attempt-failed', retryAt: 2_500 }]);
    expect(openOf(run)).toMatchObject({ attempt: 2, retryAt: 2_500, dueAt: 2_500 });
    expect(openExecutionsOf(run.state)).toBe(0);
    expect(typesOf(fails(run, 'refused', true))).toEqual(['unit-failed', 'run-failed']);
    expect(run.state.error).toBe('Unit a failed after 2 attempt(s): no');
  });

  it('is tried no more once its failure says so', () => {
    const run = started([work('a', tries(5))]);
    expect(typesOf(fails(run, 'refused', false))).toEqual(['unit-failed', 'run-failed']);
  });

  it('takes an outcome only for the attempt that is in flight', () => {
    const run = started([work('a', tries(3))]);
    fails(run, 'refused', true);
    expect([answers(run, 1, {}, 1), answers(run, 1, {}, 3), fails(run, 'refused', false, 1)]).toEqual([
      [],
      [],
      [],
    ]);
    expect(statusOf(run.state)).toBe('running');
    expect(typesOf(answers(run, 1))).toEqual(['unit-finished', 'run-completed']);
  });

  it.each<readonly [string, 'refused' | 'unknown', 'refused' | 'unknown', boolean]>([
    ['every attempt was refused', 'refused', 'refused', false],
    ['the last attempt may have done its work', 'refused', 'unknown', true],
    ['an earlier attempt may have done its work', 'unknown', 'refused', true],
  ])('keeps its key and its input over a resume when %s, or not', (_what, first, last, kept) => {
    const run = started([work('a', { with: { n: '${{ input.n }}' }, ...tries(2) })]);
    const { id } = openOf(run);
    fails(run, first, true);
    fails(run, last, true);
    expect(run.log.at(-2)).toMatchObject({ type: 'unit-failed', outcome: kept ? 'unknown' : 'refused' });
    retry(run);
    const again = openOf(run);
    expect(again.id).toBeGreaterThan(id);
    expect(again).toMatchObject({ key: kept ? id : again.id, attempt: 1, input: { n: 1 } });
    // Once the key is kept it is kept permanently: what was done once may not be done again by a later refusal.
    fails(run, 'refused', false);
    retry(run);
    expect(openOf(run).key === id).toBe(kept);
  });
});

describe('the outcome of a unit', () => {
  it('is written in one go: the output first, then what else the unit wrote', () => {
    const run = started([work('a'), work('b')], {}, {});
    answers(run, { x: 1 }, { patch: { z: 1, y: 2 } });
    expect(Object.entries(recordedState(run.state))).toEqual([
      ['output.a', { x: 1 }],
      ['z', 1],
      ['y', 2],
    ]);
  });

  it('adds up in what the run spent', () => {
    const run = started([work('a'), work('b'), work('c')]);
    answers(run, 1, { usage: { tokens: 10, cost: 0.5 } });
    answers(run, 1);
    answers(run, 1, { usage: { tokens: 5, cost: 0.25 } });
    expect(run.state.usage).toEqual({ tokens: 15, cost: 0.75 });
  });

  it('keeps of its metadata only what flows read', () => {
    const kept = (metadata: JsonObject | null) => {
      const [finished] = answers(started([work('a')]), 1, { metadata });
      return (finished as { metadata: unknown }).metadata;
    };
    expect(kept(null)).toBeNull();
    expect(kept({ model: 'm' })).toBeNull();
    expect(kept({ route: 'left', model: 'm' })).toEqual({ route: 'left' });
    expect(kept({ delegations: [], model: 'm' })).toEqual({ delegations: [] });
    expect(kept({ delegations: [1], route: 'x' })).toEqual({ route: 'x', delegations: [1] });
  });

  it('is in the messages: the output, each further key, the cost', () => {
    const run = started([work('a'), work('b')]);
    const [finished] = answers(run, 'done', { patch: { x: 1, y: 2 }, usage: { tokens: 3, cost: 0.1 } });
    expect(messagesOf('run', finished!)).toEqual([
      { type: 'unit-output', timestamp: 3_000, sourceUnitId: 'a', data: 'done', attempt: 1 },
      { type: 'state-update', timestamp: 3_000, key: 'x' },
      { type: 'state-update', timestamp: 3_000, key: 'y' },
      { type: 'cost-update', timestamp: 3_000, unitId: 'a', tokens: 3, cost: 0.1 },
      { type: 'checkpoint', timestamp: 3_000, runId: 'run', snapshotId: 'run.3' },
    ]);
    expect(told(answers(run, 'done')).map(({ type }) => type)).toEqual(['unit-output']);
  });

  it('is in the messages whole up to 4,096 characters of JSON, and as a reference above that', () => {
    const shown = (output: JsonValue) => {
      const [message] = told(answers(started([work('a')]), output));
      return (message as { data: unknown }).data;
    };
    const long = 'x'.repeat(4_094);
    expect(shown(long)).toBe(long);
    expect(shown(`${long}x`)).toEqual({ ref: 'output.a', chars: 4_097 });
    expect(shown(['x'.repeat(4_092)])).toEqual(['x'.repeat(4_092)]);
    expect(shown(['x'.repeat(4_093)])).toEqual({ ref: 'output.a', chars: 4_097 });
    for (const value of [null, true, false, 0, 1.5, {}]) expect(shown(value)).toEqual(value);
  });

  it('is in the messages as failed, with how long the next attempt is away', () => {
    const run = started([work('a', tries(2))]);
    expect(told(fails(run, 'refused', true))).toEqual([
      { type: 'unit-retry', timestamp: 2_000, unitId: 'a', attempt: 1, error: 'no', delayMs: 500 },
    ]);
    const error = 'Unit a failed after 2 attempt(s): no';
    expect(told(fails(run, 'refused', true))).toEqual([
      { type: 'unit-failed', timestamp: 2_000, unitId: 'a', attempt: 2, error },
      { type: 'run-failed', timestamp: 2_000, error },
    ]);
  });
});
