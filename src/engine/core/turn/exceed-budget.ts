import type { NewEvent } from '../log/event.js';
import type { Signal } from '../signal.js';
import { budgetOf, excessOf, isUsedUp } from '../state/run-budget.js';
import { isSetAside } from '../state/status.js';
import { callOf } from '../waits/calls.js';
import type { Child } from '../waits/child.js';
import type { Execution } from '../waits/execution.js';
import type { Turn } from './turn.js';

/**
 * The unit is not called, or the run that it waits for not begun, for nothing is left of what the run may spend: it fails, or is held until somebody resumes the
 * run. Whoever sends the signal may have found that before the budget was raised, so it is looked at once more.
 */
export function exceedBudget(
  turn: Turn,
  { executionId }: Signal & { readonly type: 'budget-exceeded' },
): void {
  const { state, plan } = turn;
  const isGoing = state.phase === 'live' && !isSetAside(state);
  const call = isGoing ? callOf(state, executionId) : undefined;
  if (call === undefined || call.heldBy !== null) return;
  const { path, scope, unitId } = call;
  const limits = budgetOf(plan, state, unitId);
  if (limits === null || !isUsedUp(limits, state.usage)) return;
  const { used, budget } = excessOf(limits, state.usage);
  const violation = `The run has used ${used}, its budget`;
  const error = `Unit ${unitId} was not called: the run has used ${used}, its budget. Resume the run with a higher one: ${budget}`;
  turn.emit({ type: 'budget-exceeded', executionId, unitId, violation });
  if (limits.onExceed === 'pause') {
    turn.emit({ type: 'paused', path, scope, unitId, reason: 'budget', executionId, error });
    return;
  }
  turn.emit(call.kind === 'child' ? refusedChild(call, error) : refusedCall(call, error));
  turn.ready.add(scope);
}

function refusedCall({ id: executionId, unitId, attempt, mayBeDone }: Execution, error: string): NewEvent {
  // Of an attempt before this one nobody may know what it did.
  const outcome = mayBeDone ? 'unknown' : 'refused';
  return { type: 'unit-failed', executionId, unitId, attempt, error, retryable: false, outcome };
}

/** One that had failed is the one that a resume tries again. */
function refusedChild({ id: childId, key, unitId, childRunId }: Child, error: string): NewEvent {
  const kept = childId === key ? {} : { isKept: true as const };
  return { type: 'child-refused', childId, unitId, childRunId, error, ...kept };
}
