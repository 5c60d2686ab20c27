import { decide } from '../../src/engine/core/decide.js';
import { pending, pendingAfter } from '../../src/engine/core/pending.js';
import { openExecutionsOf, statusOf, wakeAtOf } from '../../src/engine/core/state/status.js';
import { openGatesOf } from '../../src/engine/core/waits/gate.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const ANSWERS = 90;
/** A walk over all that is open would cost a hundred times as much. */
const MOST_GROWTH = 8;

/** Ms of CPU time for some answers to a foreach of so many open passes, with all that is asked after each. */
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
    expect(pendingAfter(state, turn.events)).toEqual({ commands: [], mayHaveDropped: false });
    expect([statusOf(state), wakeAtOf(state), openGatesOf(state)]).toEqual(['running', null, []]);
  }
  const { user, system } = process.cpuUsage(before);
  expect(openExecutionsOf(state)).toBe(passes - ANSWERS);
  return (user + system) / 1_000;
}

it('an answer to one of ten thousand open passes costs about as much as to one of a hundred', () => {
  let least = Infinity;
  for (let round = 0; round < 6 && least > MOST_GROWTH; round++) {
    least = Math.min(least, costOfAnswers(9_990) / Math.min(costOfAnswers(100), costOfAnswers(100)));
  }
  expect(least).toBeLessThan(MOST_GROWTH);
}, 60_000);
