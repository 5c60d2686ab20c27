import type { RunEvent } from '../../src/engine/core/log/event.js';
import { pending } from '../../src/engine/core/pending.js';
import { statusOf } from '../../src/engine/core/state/status.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
const skipped = (id: string) => work(id, { if: 'false' });

function started(units: readonly object[], flow: object): SimulatedRun {
  return new SimulatedRun(compileText(document('w', units, { flow: { type: 'dag', ...flow } })));
}

/** What is being called, in the order in which it was called. */
const called = (run: SimulatedRun): readonly string[] =>
  pending(run.state).flatMap((command) =>
    command.type === 'execute-unit' ? [command.execution.unitId] : [],
  );

/** The units that are called because this one completed. */
function after(run: SimulatedRun, unitId: string): readonly string[] {
  for (const command of pending(run.state)) {
    if (command.type !== 'execute-unit' || command.execution.unitId !== unitId) continue;
    const { id: executionId, attempt } = command.execution;
    const answer = { output: 1, patch: null, usage: null, metadata: null };
    const events = run.send({ type: 'unit-finished', at: 2_000, executionId, attempt, ...answer });
    return scheduled(events);
  }
  throw new Error(`${unitId} is not being called.`);
}

const scheduled = (events: readonly RunEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'unit-scheduled' ? [event.unitId] : []));

describe('the executors of a dag', () => {
  it('begin as they are declared, each as soon as all that it waits for is complete', () => {
    const run = started(
      ['e', 'd', 'c', 'b', 'a'].map((id) => work(id)),
      {
        executors: ['a', 'b', 'c', 'd', 'e'],
        dependencies: { b: ['c'], d: ['c'], e: ['a', 'd'] },
      },
    );
    expect(called(run)).toEqual(['a', 'c']);
    expect(after(run, 'c')).toEqual(['b', 'd']);
    expect(after(run, 'd')).toEqual([]);
    expect(after(run, 'a')).toEqual(['e']);
    expect(after(run, 'e')).toEqual([]);
    expect(statusOf(run.state)).toBe('running');
    expect(after(run, 'b')).toEqual([]);
    expect(statusOf(run.state)).toBe('completed');
  });

  it('wait for one another though one ends at once: a chain of skipped ones takes no turn of its own', () => {
    const run = started([skipped('a'), skipped('b'), work('c'), skipped('d')], {
      executors: ['c', 'd', 'b', 'a'],
      dependencies: { b: ['a'], c: ['b'], d: ['c'] },
    });
    expect(called(run)).toEqual(['c']);
    expect(after(run, 'c')).toEqual([]);
    expect(statusOf(run.state)).toBe('completed');
  });

  it('are as many at once as maxConcurrency allows, and after one that ended the one declared first begins', () => {
    const run = started(
      ['a', 'b', 'c', 'd', 'e'].map((id) => work(id)),
      {
        executors: ['a', 'b', 'c', 'd', 'e'],
        dependencies: { c: ['a'] },
        maxConcurrency: 2,
      },
    );
    expect(called(run)).toEqual(['a', 'b']);
    expect(after(run, 'b')).toEqual(['d']);
    expect(called(run)).toEqual(['a', 'd']);
    expect(after(run, 'a')).toEqual(['c']);
    expect(after(run, 'd')).toEqual(['e']);
    expect(after(run, 'c')).toEqual([]);
    after(run, 'e');
    expect(statusOf(run.state)).toBe('completed');
  });

  it('may all run sequentially', () => {
    const run = started(
      ['a', 'b', 'c'].map((id) => work(id)),
      {
        executors: ['a', 'b', 'c'],
        maxConcurrency: 1,
      },
    );
    const order: string[] = [];
    while (called(run).length > 0) {
      expect(called(run)).toHaveLength(1);
      order.push(...called(run));
      after(run, called(run)[0]!);
    }
    expect([order, statusOf(run.state)]).toEqual([['a', 'b', 'c'], 'completed']);
  });

  it('begin after the planner, and the aggregator after all of them', () => {
    const run = started(
      ['plan', 'a', 'b', 'sum'].map((id) => work(id)),
      {
        planner: 'plan',
        executors: ['a', 'b'],
        aggregator: 'sum',
      },
    );
    expect(called(run)).toEqual(['plan']);
    expect(after(run, 'plan')).toEqual(['a', 'b']);
    expect(after(run, 'b')).toEqual([]);
    expect(after(run, 'a')).toEqual(['sum']);
    expect(after(run, 'sum')).toEqual([]);
    expect(statusOf(run.state)).toBe('completed');
  });

  it('continue where the log stopped, wherever that was', () => {
    const begin = () =>
      started(
        ['a', 'b', 'c', 'd'].map((id) => work(id)),
        {
          executors: ['a', 'b', 'c', 'd'],
          dependencies: { c: ['a'], d: ['b', 'c'] },
        },
      );
    const { length } = begin().log;
    for (let written = 0; written <= length; written++) {
      const run = begin();
      run.crash(written);
      expect([...called(run)].sort()).toEqual(['a', 'b']);
      expect(after(run, 'a')).toEqual(['c']);
      expect(after(run, 'b')).toEqual([]);
      run.crash(run.log.length - 1);
      expect(after(run, 'c')).toEqual(['d']);
      after(run, 'd');
      expect(statusOf(run.state)).toBe('completed');
    }
  });

  it('count for themselves in each of two dags that are open side by side', () => {
    const dag = (...executors: readonly string[]) => ({
      type: 'dag',
      executors,
      dependencies: { [executors[1]!]: [executors[0]!] },
    });
    const units = ['a', 'b', 'c', 'd'].map((id) => work(id));
    const flow = { type: 'parallel', units: [dag('a', 'b'), dag('c', 'd')] };
    const run = new SimulatedRun(compileText(document('w', units, { flow })));
    expect(called(run)).toEqual(['a', 'c']);
    expect(after(run, 'c')).toEqual(['d']);
    expect(after(run, 'd')).toEqual([]);
    expect(after(run, 'a')).toEqual(['b']);
    after(run, 'b');
    expect(statusOf(run.state)).toBe('completed');
  });
});
