import type { Signal } from '../../signal.js';
import { byId } from '../../state/wait.js';
import { executionOf, type Execution } from '../../waits/execution.js';
import type { Turn } from '../turn.js';

/** After this many recoveries of one execution the run pauses: a unit must not kill the process for ever. */
const MAX_RECOVERIES = 3;

/**
 * Calls again what was being called when a process died, unless it keeps killing the process. Executions that were not being
 * called, or that were released in an orderly way, are not counted.
 */
export function recover(turn: Turn, { begun }: Signal & { readonly type: 'recover' }): void {
  if (turn.state.phase !== 'live') return;
  const found = new Set<Execution>();
  for (const { executionId, attempt } of begun) {
    const execution = executionOf(turn.state, executionId);
    if (execution?.attempt === attempt && execution.heldBy === null) found.add(execution);
  }
  const recovered = byId(found);
  if (recovered.length > 0) turn.emit({ type: 'recovered', executionIds: recovered.map(({ id }) => id) });
  for (const { id: executionId, path, scope, unitId, recoveries: before } of recovered) {
    const recoveries = before + 1;
    if (recoveries < MAX_RECOVERIES) continue;
    const error =
      `Unit ${unitId} was being called each of the last ${recoveries} times that the process died: ` +
      'see whether it is the cause, then resume the run to call it again.';
    turn.emit({ type: 'paused', path, scope, unitId, reason: 'recovery-limit', executionId, error });
  }
  turn.visitAll();
}
