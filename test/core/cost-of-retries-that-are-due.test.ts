import { nextWakeUp } from '../../src/engine/core/next-wake-up.js';
import { pending } from '../../src/engine/core/pending.js';
import { wakeAtOf } from '../../src/engine/core/state/status.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

/** A run with so many retries that are due and wait for slots, and one that is due later. */
function withRetries(passes: number) {
  const list = Array.from({ length: passes }, (_, index) => index);
  const flow = { type: 'foreach', items: 'input.list', do: 'a', maxConcurrency: passes };
  const plan = compileText(document('w', [{ id: 'a', uses: 'work' }], { flow }));
  const run = new SimulatedRun(plan, { maxStateChars: Infinity }, { list });
  const calls = pending(run.state).flatMap((command) =>
    command.type === 'execute-unit' ? [command.execution.id] : [],
  );
  const fail = (executionId: number, at: number, retryAfterMs: number) =>
    run.send({
      type: 'unit-attempt-failed',
      at,
      executionId,
      attempt: 1,
      error: 'no',
      retryable: true,
      outcome: 'refused',
      retryAfterMs,
    });
  fail(calls[0]!, 2_000, 60_000);
  for (const id of calls.slice(1)) fail(id, 2_000, 1);
  // The next event finds them due.
  run.send({ type: 'note', at: 3_000, request: 'resume' });
  return run;
}

it('what is due next is found without visiting the retries that were due before', () => {
  const run = withRetries(2_000);
  let looks = 0;
  const waits = Object.create(run.state.waits, {
    get: { value: (id: number) => (++looks, run.state.waits.get(id)) },
  }) as typeof run.state.waits;
  expect(nextWakeUp({ ...run.state, waits }, 3_000)).toBe(62_000);
  expect(looks).toBeLessThan(10);
  // They count all the same for a process that takes the run over after a crash.
  expect(wakeAtOf(run.state)).toBe(2_001);
});

it('after the clock went back, the retries that had been due are waited for again', () => {
  const run = withRetries(3);
  expect([2_999, 2_000, 1_999].map((now) => nextWakeUp(run.state, now))).toEqual([62_000, 2_001, 2_001]);
});
