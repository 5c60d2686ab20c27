import { decide } from '../../src/engine/core/decide.js';
import { pending, pendingAfter } from '../../src/engine/core/pending.js';
import type { DagNode } from '../../src/engine/core/plan/plan.js';
import { openExecutionsOf, statusOf, wakeAtOf } from '../../src/engine/core/state/status.js';
import { openGatesOf } from '../../src/engine/core/waits/gate.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const ANSWERS = 90;
/** A walk over all that is open would cost a hundred times as much. */
const MOST_GROWTH = 8;

/** What an outcome changes of what is pending. */
const released = (executionId: number) => ({
  commands: [],
  isWhole: false,
  released: [executionId],
  mayHaveReleasedOthers: false,
});

/** Ms of CPU time for some outcomes of a foreach with so many open passes, with all that is read after each. */
function costOfAnswers(passes: number): number {
  const list = Array.from({ length: passes }, (_, index) => index);
  const flow = { type: 'foreach', items: 'input.list', do: 'a', maxConcurrency: passes };
  const plan = compileText(document('w', [{ id: 'a', uses: 'work' }], { flow }));
  const run = new SimulatedRun(plan, { maxStateChars: Infinity }, { list });
  const calls = pending(run.state).flatMap((command) =>
    command.type === 'execute-unit' ? [command.execution.id] : [],
  );
  expect(calls).toHaveLength(passes);
  const step = Math.floor(passes / ANSWERS);
  let { state } = run;
  const before = process.cpuUsage();
  for (let i = 0; i < ANSWERS; i++) {
    const answer = { attempt: 1, output: i, patch: null, usage: null, metadata: null };
    const executionId = calls[i * step]!;
    const turn = decide(plan, state, { type: 'unit-finished', at: 2_000, executionId, ...answer });
    ({ state } = turn);
    expect(pendingAfter(state, turn.events)).toEqual(released(executionId));
    expect([statusOf(state), wakeAtOf(state), openGatesOf(state)]).toEqual(['running', null, []]);
  }
  const { user, system } = process.cpuUsage(before);
  expect(openExecutionsOf(state)).toBe(passes - ANSWERS);
  return (user + system) / 1_000;
}

it('the outcome of one of ten thousand open passes costs about as much as that of one of a hundred', () => {
  let least = Infinity;
  for (let round = 0; round < 6 && least > MOST_GROWTH; round++) {
    least = Math.min(least, costOfAnswers(9_990) / Math.min(costOfAnswers(100), costOfAnswers(100)));
  }
  expect(least).toBeLessThan(MOST_GROWTH);
}, 60_000);

describe('a dag that has capacity for some of its executors', () => {
  /** For how many executors the dependencies were read, and how many executors began, in this many outcomes. */
  function looksAfter(count: number, answers: number): readonly [asked: number, begun: number] {
    const executors = Array.from({ length: count }, (_, index) => `u${index}`);
    const [first = '', second = '', ...others] = executors;
    // A third waits for the first, which does not complete; the others for the second: all are ready at once.
    const dependencies = Object.fromEntries(
      others.map((id, index) => [id, [index % 3 === 0 ? first : second]]),
    );
    const units = executors.map((id) => ({ id, uses: 'work' }));
    const flow = { type: 'dag', executors, dependencies, maxConcurrency: 8 };
    const plan = compileText(document('w', units, { flow }));
    let asked = 0;
    const root = plan.root as DagNode;
    const counted = new Proxy(root.dependencies, {
      get: (list, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) asked += 1;
        return Reflect.get(list, key, receiver) as unknown;
      },
    });
    Object.assign(root, { dependencies: counted });
    const run = new SimulatedRun(plan);
    const answer = (unitId: string): number => {
      const command = pending(run.state).find(
        (one) => one.type === 'execute-unit' && one.execution.unitId === unitId,
      );
      const before = pending(run.state).length;
      run.answer(command!);
      return pending(run.state).length - before + 1;
    };
    answer(second);
    asked = 0;
    let begun = 0;
    const open = others.filter((_, index) => index % 3 !== 0);
    for (const unitId of open.slice(0, answers)) begun += answer(unitId);
    return [asked, begun];
  }

  it('looks, after an outcome, at those that begin because of it, however many wait or are complete', () => {
    const [asked, begun] = looksAfter(60, 20);
    expect(begun).toBe(20);
    expect(looksAfter(600, 20)).toEqual([asked, begun]);
  });
});
