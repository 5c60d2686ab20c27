import { foldLog } from '../../src/engine/core/fold-log.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { messagesOf } from '../../src/engine/core/log/messages.js';
import type { Usage } from '../../src/engine/core/log/event-base.js';
import { pending } from '../../src/engine/core/pending.js';
import { expectedUsage } from '../../src/engine/core/state/run-budget.js';
import { decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { statusOf } from '../../src/engine/core/state/status.js';
import { openPausesOf, pauseOf } from '../../src/engine/core/waits/pause.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });

function started(budget: object, units: readonly object[] = [work('a'), work('b')], spec: object = {}) {
  return new SimulatedRun(compileText(document('w', units, { policy: { budget }, ...spec })));
}

function openOf(run: SimulatedRun, unitId?: string) {
  for (const command of pending(run.state)) {
    if (command.type !== 'execute-unit') continue;
    if (unitId === undefined || command.execution.unitId === unitId) return command.execution;
  }
  throw new Error('It is not to be called.');
}

function uses(run: SimulatedRun, usage: Usage | null, unitId?: string): readonly RunEvent[] {
  const { id: executionId, attempt } = openOf(run, unitId);
  const rest = { patch: null, metadata: null, usage };
  return run.send({ type: 'unit-finished', at: 3_000, executionId, attempt, output: 1, ...rest });
}

const finds = (run: SimulatedRun, executionId = openOf(run).id) =>
  run.send({ type: 'budget-exceeded', at: 4_000, executionId });

const resumes = (run: SimulatedRun, budget: { maxTokens: number | null; maxCost: number | null } | null) =>
  openPausesOf(run.state).flatMap((pauseId) =>
    run.send({ type: 'resume', at: 5_000, pauseId, by: ANN, budget }),
  );

const typesOf = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);
const tokens = (used: number): Usage => ({ tokens: used, cost: 0 });

describe('a run that has used up its budget', () => {
  it('fails the unit that is next, which says what was used, of how much, and what to do', () => {
    const run = started({ maxTokens: 100 });
    uses(run, tokens(120));
    const events = finds(run);
    expect(typesOf(events)).toEqual(['budget-exceeded', 'unit-failed', 'run-failed']);
    expect(run.state.error).toBe(
      'Unit b was not called: the run has used 120 of 100 tokens, its budget. Resume the run with a higher one: {"budget": {"maxTokens": …}}',
    );
    expect(events[1]).toMatchObject({ unitId: 'b', attempt: 1, retryable: false, outcome: 'refused' });
    expect(events.flatMap((event) => messagesOf('run', event))).toContainEqual({
      type: 'policy-violation',
      timestamp: 4_000,
      unitId: 'b',
      violation: 'The run has used 120 of 100 tokens, its budget',
    });
  });

  it('names each bound that nothing is left of', () => {
    const run = started({ maxTokens: 100, maxCost: 0.3 });
    uses(run, { tokens: 100, cost: 0.1 + 0.2 });
    finds(run);
    expect(run.state.error).toContain('100 of 100 tokens and a cost of 0.3 of 0.3, its budget');
    expect(run.state.error).toContain('{"budget": {"maxTokens": …, "maxCost": …}}');
  });

  it('has done so with fractions of cost that add up to it, but for the rounding errors of adding them', () => {
    const units = Array.from({ length: 11 }, (_, index) => work(`u${index}`));
    const run = started({ maxCost: 1 }, units);
    for (let spent = 1; spent <= 10; spent++) {
      expect(finds(run)).toEqual([]);
      uses(run, { tokens: 0, cost: 0.1 });
    }
    expect(run.state.usage.cost).toBeLessThan(1);
    expect(typesOf(finds(run))).toContain('budget-exceeded');
  });

  it('calls nothing at all where the budget is nothing', () => {
    expect(typesOf(finds(started({ maxTokens: 0 })))).toContain('run-failed');
    expect(typesOf(finds(started({ maxCost: 0 })))).toContain('run-failed');
  });

  it('keeps the key of an earlier attempt, of which it is unknown what it did', () => {
    const run = started({ maxTokens: 100 }, [work('a'), work('b')], {
      flow: { type: 'parallel', units: ['a', 'b'] },
    });
    const { id: executionId } = openOf(run, 'b');
    const failure = { error: 'no', retryable: true, outcome: 'unknown', retryAfterMs: 0 } as const;
    run.send({ type: 'unit-attempt-failed', at: 2_000, executionId, attempt: 1, ...failure });
    uses(run, tokens(100), 'a');
    expect(finds(run, executionId)[1]).toMatchObject({ type: 'unit-failed', attempt: 2, outcome: 'unknown' });
    run.send({
      type: 'resume',
      at: 5_000,
      pauseId: null,
      by: ANN,
      budget: { maxTokens: 200, maxCost: null },
    });
    expect(openOf(run, 'b').key).toBe(executionId);
  });

  it('pauses where the document says so, and freezes what is next', () => {
    const run = started({ maxTokens: 100, onExceed: 'pause' });
    uses(run, tokens(100));
    const events = finds(run);
    expect(typesOf(events)).toEqual(['budget-exceeded', 'paused']);
    expect(statusOf(run.state)).toBe('paused');
    expect(pending(run.state).map(({ type }) => type)).toEqual(['await-resume']);
    const told = events.flatMap((event) => messagesOf('run', event));
    expect(told.map(({ type }) => type)).toEqual(['policy-violation', 'run-paused', 'checkpoint']);
    expect(told[1]).toMatchObject({
      reason: 'budget',
      unitId: 'b',
      error: run.log.at(-1)!['error' as never],
    });
    expect(finds(run, events[0]!['executionId' as never])).toEqual([]);
  });

  it('fails branch after branch of a parallel that takes failures in its stride', () => {
    const flow = { type: 'parallel', units: ['a', 'b', 'c'], failureStrategy: 'best-effort' };
    const run = started({ maxTokens: 1 }, [work('a'), work('b'), work('c')], { flow });
    uses(run, tokens(1), 'a');
    expect(typesOf(finds(run))).toEqual(['budget-exceeded', 'unit-failed', 'branch-closed']);
    expect(typesOf(finds(run)).at(-1)).toBe('run-completed');
  });
});

describe('a budget that is not used up', () => {
  it('keeps nothing from being called, whatever was found before', () => {
    const run = started({ maxTokens: 100, maxCost: 5 });
    uses(run, { tokens: 99, cost: 4 });
    expect(finds(run)).toEqual([]);
    expect(finds(run, 99)).toEqual([]);
    uses(run, { tokens: 9, cost: 4 });
    expect(finds(run, 1)).toEqual([]);
  });

  it('is that of the unit, where it has another', () => {
    const own = { policyOverrides: { budget: { maxTokens: 500, onExceed: 'pause' } } };
    const run = started({ maxTokens: 100 }, [work('a'), work('b', own), work('c')]);
    uses(run, tokens(100));
    expect(finds(run)).toEqual([]);
    uses(run, tokens(10));
    expect(typesOf(finds(run))).toContain('run-failed');
  });
});

describe('a run that is resumed with a budget', () => {
  const paused = () => {
    const run = started({ maxTokens: 100, maxCost: 9, onExceed: 'pause' });
    uses(run, { tokens: 100, cost: 1 });
    finds(run);
    return run;
  };

  it('continues under that one, and under the bound of the plan where it says nothing', () => {
    const run = paused();
    expect(resumes(run, { maxTokens: 150, maxCost: null })).toMatchObject([
      { type: 'resumed', budget: { maxTokens: 150, maxCost: null } },
    ]);
    expect(run.state.budget).toEqual({ maxTokens: 150, maxCost: null });
    expect(finds(run)).toEqual([]);
    uses(run, { tokens: 1, cost: 8 });
    expect(statusOf(run.state)).toBe('completed');
  });

  it('pauses again without more, or with less', () => {
    const run = paused();
    expect(resumes(run, null)[0]).not.toHaveProperty('budget');
    expect(typesOf(finds(run))).toEqual(['budget-exceeded', 'paused']);
    resumes(run, { maxTokens: 50, maxCost: null });
    expect(finds(run)[0]).toMatchObject({ violation: 'The run has used 100 of 50 tokens, its budget' });
  });

  it('keeps a bound that was given before where another is given', () => {
    const run = paused();
    resumes(run, { maxTokens: 150, maxCost: null });
    expect(run.send({ type: 'undecided', at: 1, executionId: null, error: 'no' })).toHaveLength(1);
    resumes(run, { maxTokens: null, maxCost: 1 });
    expect(run.state.budget).toEqual({ maxTokens: 150, maxCost: 1 });
    expect(finds(run)[0]).toMatchObject({ violation: 'The run has used a cost of 1 of 1, its budget' });
  });

  it('says it once for all pauses that are lifted together', () => {
    const flow = { type: 'parallel', units: ['a', 'b', 'c'] };
    const run = started({ maxTokens: 1, onExceed: 'pause' }, [work('a'), work('b'), work('c')], { flow });
    uses(run, tokens(1), 'a');
    finds(run);
    finds(run);
    expect(openPausesOf(run.state)).toHaveLength(2);
    const events = resumes(run, { maxTokens: 10, maxCost: null });
    expect(events.map((event) => 'budget' in event)).toEqual([true, false]);
    expect(pending(run.state)).toHaveLength(2);
  });

  it('continues from where it had failed', () => {
    const run = started({ maxTokens: 100 });
    uses(run, tokens(100));
    finds(run);
    const budget = { maxTokens: 200, maxCost: null };
    run.send({ type: 'resume', at: 5_000, pauseId: null, by: ANN, budget });
    expect(openOf(run).unitId).toBe('b');
    expect(finds(run)).toEqual([]);
  });

  it('bounds units of which the document says nothing, and only pauses those', () => {
    const run = started({}, [work('a', { pause: 'after' }), work('b')]);
    uses(run, tokens(100));
    resumes(run, { maxTokens: 50, maxCost: null });
    expect(typesOf(finds(run))).toEqual(['budget-exceeded', 'paused']);
    expect(pauseOf(run.state, openPausesOf(run.state)[0]!)?.reason).toBe('budget');
  });

  it('has spent what it spent, and may spend what it may, when it goes back', () => {
    const run = paused();
    resumes(run, { maxTokens: 150, maxCost: null });
    run.rewind(run.log.find(({ type }) => type === 'unit-finished')!.seq);
    expect(run.state).toMatchObject({ usage: { tokens: 100 }, budget: { maxTokens: 150 } });
    expect(expectedUsage(run.state, 'b')).toEqual({ tokens: 100, cost: 1 });
    const baseState = foldLog(INITIAL_STATE, run.log.slice(0, 3));
    const budget = { maxTokens: 300, maxCost: null };
    run.send({ type: 'rewind', at: 9_000, toSeq: 3, baseState, by: ANN, budget });
    expect(run.state.budget).toEqual(budget);
  });
});

describe('what one more execution is expected to use', () => {
  const units = [work('a'), work('b'), work('c'), work('d')];

  it('is the most that one of the unit has used, else the most that any has, else unknown', () => {
    const flow = { type: 'loop', do: { type: 'sequential', order: ['a', 'b'] }, maxIterations: 3 };
    const run = started({}, units.slice(0, 2), { flow });
    expect(expectedUsage(run.state, 'a')).toBeNull();
    uses(run, { tokens: 10, cost: 3 });
    expect(expectedUsage(run.state, 'b')).toEqual({ tokens: 10, cost: 3 });
    uses(run, { tokens: 40, cost: 1 });
    uses(run, { tokens: 12, cost: 1 });
    expect(expectedUsage(run.state, 'a')).toEqual({ tokens: 12, cost: 3 });
    expect(expectedUsage(run.state, 'b')).toEqual({ tokens: 40, cost: 1 });
    expect(expectedUsage(run.state, 'c')).toEqual({ tokens: 40, cost: 3 });
  });

  it('is nothing for a unit that reported nothing, which says nothing of others', () => {
    const run = started({}, units);
    uses(run, null);
    uses(run, tokens(0));
    expect(['a', 'b', 'c'].map((id) => expectedUsage(run.state, id))).toEqual([tokens(0), tokens(0), null]);
    uses(run, tokens(7));
    expect(['a', 'b', 'd'].map((id) => expectedUsage(run.state, id)?.tokens)).toEqual([0, 0, 7]);
  });

  it('is the same for a run that was loaded', () => {
    const run = started({ maxTokens: 20, onExceed: 'pause' }, units);
    uses(run, tokens(7));
    uses(run, { tokens: 20, cost: 1 });
    finds(run);
    resumes(run, { maxTokens: 99, maxCost: 5 });
    const stored = decodeState(JSON.parse(JSON.stringify(encodeState(run.state))));
    expect(encodeState(stored)).toEqual(encodeState(run.state));
    expect(encodeState(foldLog(INITIAL_STATE, run.log))).toEqual(encodeState(run.state));
    expect(expectedUsage(stored, 'd')).toEqual({ tokens: 20, cost: 1 });
    expect(stored.budget).toEqual({ maxTokens: 99, maxCost: 5 });
  });
});
