import type { Signal } from '../../signal.js';
import { isEnding, isSuspended } from '../../state/status.js';
import { hasOpenExecution } from '../../waits/execution.js';
import { suspendPausedRun } from '../../waits/pause.js';
import type { Turn } from '../turn.js';

/**
 * Cancels the run in two steps. First the cancel is requested: nothing new begins, and what is being called may come to its
 * end. Once it has, or its time is up (`endCancelling`), the units of `spec.onCancel` run, and the run is cancelled.
 */
export function cancel(turn: Turn, { by, graceMs }: Signal & { readonly type: 'cancel' }): void {
  const { state } = turn;
  const { phase, cancelling } = state;
  if (cancelling !== null || (phase !== 'live' && phase !== 'failed')) return;
  // A run that failed or is suspended has released everything, whatever its state still shows.
  const isInFlight = phase === 'live' && !isSuspended(state) && graceMs > 0 && hasOpenExecution(state);
  // Nothing in flight has to end first, and there is no clean-up.
  if (!isInFlight && turn.plan.onCancel === null) {
    turn.emit({ type: 'run-cancelled', by });
    return;
  }
  turn.emit({ type: 'cancel-requested', by, graceUntil: turn.at + graceMs });
  if (!isInFlight) endCancelling(turn);
}

/** Releases what is still open: its outcomes have no effect any more. */
export function endCancelling(turn: Turn): void {
  const { onCancel } = turn.plan;
  const { cancelling } = turn.state;
  if (cancelling === null) return;
  if (onCancel === null) {
    turn.emit({ type: 'run-cancelled', by: cancelling.by });
    return;
  }
  turn.emit({ type: 'clean-up-started', path: onCancel.path });
  turn.visitAll();
}

/**
 * Once nothing is in flight any more, cleans up a run that is being cancelled, or suspends one that was paused on request.
 */
export function settleWhenQuiet(turn: Turn): void {
  const { state } = turn;
  const { phase, cancelling, stops } = state;
  if (phase !== 'live' || (cancelling === null && stops === 0) || hasOpenExecution(state)) return;
  if (isEnding(state)) endCancelling(turn);
  else suspendPausedRun(turn);
}
