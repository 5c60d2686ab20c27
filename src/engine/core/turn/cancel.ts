import type { Signal } from '../signal.js';
import { isEnding, isSetAside } from '../state/status.js';
import { hasOpenExecution } from '../waits/execution.js';
import { setPausedAside } from '../waits/pause.js';
import type { Turn } from './turn.js';

/**
 * Cancels the run in two steps. It is asked for: nothing new begins, and what is being called may come to its end. Then,
 * once it has or its time is up (`endCancelling`), the units of `spec.onCancel` run, and the run is cancelled.
 */
export function cancel(turn: Turn, { by, graceMs }: Signal & { readonly type: 'cancel' }): void {
  const { state } = turn;
  const { phase, cancelling } = state;
  if (cancelling !== null || (phase !== 'live' && phase !== 'failed')) return;
  // What failed, and what is set aside, has let go of everything, whatever its state still shows.
  const isInFlight = phase === 'live' && !isSetAside(state) && graceMs > 0 && hasOpenExecution(state);
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

/** What was waited for has come to its end with this signal: the run goes on to its own, or stands still. */
export function settleWhenQuiet(turn: Turn): void {
  const { state } = turn;
  const { phase, cancelling, stops } = state;
  if (phase !== 'live' || (cancelling === null && stops === 0) || hasOpenExecution(state)) return;
  if (isEnding(state)) endCancelling(turn);
  else setPausedAside(turn);
}
