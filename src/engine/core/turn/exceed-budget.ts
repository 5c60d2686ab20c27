import type { Signal } from '../signal.js';
import { budgetOf, excessOf, isUsedUp } from '../state/run-budget.js';
import { isSetAside } from '../state/status.js';
import { executionOf } from '../waits/execution.js';
import type { Turn } from './turn.js';

/**
 * The unit is not called, for nothing is left of what the run may spend: it fails, or is held until somebody resumes the
 * run. Whoever sends the signal may have found that before the budget was raised, so it is looked at once more.
 */
export function exceedBudget(
  turn: Turn,
  { executionId }: Signal & { readonly type: 'budget-exceeded' },
): void {
  const { state, plan } = turn;
  const isGoing = state.phase === 'live' && !isSetAside(state);
  const execution = isGoing ? executionOf(state, executionId) : undefined;
  if (execution === undefined || execution.heldBy !== null) return;
  const { path, scope, unitId, attempt, mayBeDone } = execution;
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
  // Of an attempt before this one nobody may know what it did.
  const outcome = mayBeDone ? 'unknown' : 'refused';
  turn.emit({ type: 'unit-failed', executionId, unitId, attempt, error, retryable: false, outcome });
  turn.ready.add(scope);
}
