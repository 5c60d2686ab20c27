import type { Signal } from '../signal.js';
import type { Turn } from './turn.js';

/**
 * Cancels the run in two steps. It is asked for: nothing new begins, and what is being called may come to its end. Then,
 * once it has or its time is up (`endCancelling`), the units of `spec.onCancel` run, and the run is cancelled.
 */
export function cancel(turn: Turn, { by, graceMs }: Signal & { readonly type: 'cancel' }): void {
  const { phase, cancelling } = turn.state;
  if (cancelling !== null || (phase !== 'live' && phase !== 'failed')) return;
  const isInFlight = phase === 'live' && graceMs > 0 && mayBeInFlight(turn);
  // Nobody has to be told, and nothing is left to do.
  if (!isInFlight && turn.plan.onCancel === null) {
    turn.emit({ type: 'run-cancelled', by });
    return;
  }
  turn.emit({ type: 'cancel-requested', by, graceUntil: turn.at + graceMs });
  if (!isInFlight) endCancelling(turn);
}

/** What is still open is let go: its answers mean nothing any more. */
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

/** Which of them were called only the run's owner knows. */
function mayBeInFlight({ state }: Turn): boolean {
  return state.waits.some((wait) => wait.kind === 'execution' && wait.heldBy === null);
}
