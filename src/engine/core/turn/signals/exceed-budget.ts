import type { NewEvent } from '../../log/event.js';
import type { Signal } from '../../signal.js';
import { budgetOf, exceededLimit, isUsedUp } from '../../state/run-budget.js';
import { catchesFailures } from '../../plan/plan.js';
import { isSuspended } from '../../state/status.js';
import { callOf } from '../../waits/calls.js';
import type { Child } from '../../waits/child.js';
import type { Execution } from '../../waits/execution.js';
import type { Turn } from '../turn.js';

/**
 * Nothing is left of what the run may spend, so the unit is not called, or the run that it waits for is not begun: it fails,
 * or is frozen until somebody resumes the run. The sender of the signal may have found that before the budget was raised, so
 * it is checked once more.
 */
export function exceedBudget(
  turn: Turn,
  { executionId }: Signal & { readonly type: 'budget-exceeded' },
): void {
  const { state, plan } = turn;
  const isGoing = state.phase === 'live' && !isSuspended(state);
  const call = isGoing ? callOf(state, executionId) : undefined;
  if (call === undefined || call.heldBy !== null) return;
  const { path, scope, unitId } = call;
  const limits = budgetOf(plan, state, { unitId, path });
  if (limits === null || !isUsedUp(limits, state.usage)) return;
  const { used, budget } = exceededLimit(limits, state.usage);
  const violation = `The run has used ${used}, its budget`;
  const error = `Unit ${unitId} was not called: the run has used ${used}, its budget. Resume the run with a higher one: ${budget}`;
  turn.emit({ type: 'budget-exceeded', executionId, unitId, violation });
  if (limits.onExceed === 'pause') {
    turn.emit({ type: 'paused', path, scope, unitId, reason: 'budget', executionId, error });
    return;
  }
  const caught = catchesFailures(plan) ? ({ code: 'budget' } as const) : {};
  turn.emit(call.kind === 'child' ? refusedChild(call, error) : { ...refusedCall(call, error), ...caught });
  turn.ready.add(scope);
}

function refusedCall(
  { id: executionId, unitId, attempt, mayBeDone }: Execution,
  error: string,
): NewEvent & { readonly type: 'unit-failed' } {
  // It is unknown what an earlier attempt may have done.
  const outcome = mayBeDone ? 'unknown' : 'refused';
  return { type: 'unit-failed', executionId, unitId, attempt, error, retryable: false, outcome };
}

/** A child that had failed is kept: a resume tries the same one again. */
function refusedChild({ id: childId, key, unitId, childRunId }: Child, error: string): NewEvent {
  const kept = childId === key ? {} : { isKept: true as const };
  return { type: 'child-refused', childId, unitId, childRunId, error, ...kept };
}
