import { unitOf, type PlanUnit } from '../../core/plan/plan.js';
import { statusOf } from '../../core/state/status.js';
import type { Wait } from '../../core/state/wait.js';
import type { Definition } from '../../definitions/definition.js';
import type { LiveRun } from '../mailbox/live-run.js';

/**
 * Whether the run is `running` although nothing will ever move it: nothing of it is under way in this process, which owns
 * it, no future instant will wake it, and it waits neither for a child run nor for a unit that this process does not have
 * (`has`). Costs as much as there are waits, but nothing for a run that is under way.
 */
export function isStalled(
  run: LiveRun,
  now: number,
  has: (definition: Definition, unit: PlanUnit) => boolean,
): boolean {
  const { definition, durable } = run;
  if (run.isUnderWay || statusOf(durable) !== 'running') return false;
  // The grace of a cancel ends by itself.
  if (durable.cancelling !== null && durable.cancelling.graceUntil > now) return false;
  return !durable.waits.some((wait) =>
    isWaitedFor(wait, now, (at) => has(definition, unitOf(definition.plan, at.path))),
  );
}

/** Whether the clock, another run or the registration of a unit will end the wait, or let it begin. */
function isWaitedFor(wait: Wait, now: number, has: (wait: Wait) => boolean): boolean {
  switch (wait.kind) {
    case 'execution':
      return wait.heldBy === null && ((wait.dueAt ?? 0) > now || !has(wait));
    case 'child':
      return wait.standing === 'in-flight';
    default:
      return wait.dueAt !== null;
  }
}
