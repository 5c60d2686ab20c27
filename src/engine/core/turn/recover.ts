import type { Signal } from '../signal.js';
import { executionOf } from '../waits/execution.js';
import type { Turn } from './turn.js';

/** After this many recoveries of one execution the run pauses: a unit must not kill the process for ever. */
const MAX_RECOVERIES = 3;

/**
 * What was being called when a process died is called again, unless it keeps killing it. What was not being called,
 * and what was let go of in peace, counts nothing.
 */
export function recover(turn: Turn, { begun }: Signal & { readonly type: 'recover' }): void {
  if (turn.state.phase !== 'live') return;
  const found = new Set<number>();
  for (const { executionId, attempt } of begun) {
    const execution = executionOf(turn.state, executionId);
    if (execution?.attempt === attempt && execution.heldBy === null) found.add(executionId);
  }
  const executionIds = [...found].sort((a, b) => a - b);
  if (executionIds.length > 0) turn.emit({ type: 'recovered', executionIds });
  for (const executionId of executionIds) {
    const execution = executionOf(turn.state, executionId);
    if (execution === undefined || execution.recoveries < MAX_RECOVERIES) continue;
    const { path, scope, unitId, recoveries } = execution;
    const error =
      `Unit ${unitId} was being called each of the last ${recoveries} times that the process died: ` +
      'see whether it is the cause, then resume the run to call it again.';
    turn.emit({ type: 'paused', path, scope, unitId, reason: 'recovery-limit', executionId, error });
  }
  turn.visitAll();
}
