import type { Signal } from '../../signal.js';
import { nextFinally, undoingInside } from '../../state/closings.js';
import type { Plan } from '../../plan/plan.js';
import { ROOT_SCOPE, type Closing } from '../../state/scope.js';
import { isEnding, isSuspended } from '../../state/status.js';
import { hasOpenExecution } from '../../waits/execution.js';
import { suspendPausedRun } from '../../waits/pause.js';
import { owes } from '../failing/compensating.js';
import type { Turn } from '../turn.js';

/**
 * Cancels the run in two steps. First the cancel is requested: nothing new begins, and what is being called may come to its
 * end. Once it has, or its time is up (`endCancelling`), the units of `spec.onCancel` run, and the run is cancelled.
 */
export function cancel(turn: Turn, { by, graceMs }: Signal & { readonly type: 'cancel' }): void {
  const { state } = turn;
  const { phase, cancelling, again } = state;
  // A run that was over is over: only what could not be undone is tried again.
  if (again !== undefined || cancelling !== null || (phase !== 'live' && phase !== 'failed')) return;
  // A run that failed or is suspended has released everything, whatever its state still shows.
  const isInFlight = phase === 'live' && !isSuspended(state) && graceMs > 0 && hasOpenExecution(state);
  const root = state.scopes.get(ROOT_SCOPE);
  const hasFinally =
    phase === 'live' &&
    (nextFinally(turn.plan, state, ROOT_SCOPE, '') !== null || undoingInside(root, null) !== null);
  const isOwing = owes(turn.plan, state, ROOT_SCOPE, allOf(turn.plan));
  // Nothing in flight has to end first, and there is no clean-up.
  if (!isInFlight && !hasFinally && !isOwing && turn.plan.onCancel === null) {
    turn.emit({ type: 'run-cancelled', by });
    return;
  }
  turn.emit({ type: 'cancel-requested', by, graceUntil: turn.at + graceMs });
  if (!isInFlight) endCancelling(turn);
}

/**
 * Releases what is still open: its outcomes have no effect any more. Each open `finally` runs first, then the units of
 * `spec.onCancel`. `isUnwound`: the former have.
 */
export function endCancelling(turn: Turn, isUnwound = false): void {
  const { plan, state } = turn;
  const { onCancel } = plan;
  const { cancelling } = state;
  if (cancelling === null) return;
  const all = allOf(plan);
  const isLeft =
    nextFinally(plan, state, ROOT_SCOPE, '') !== null ||
    undoingInside(state.scopes.get(ROOT_SCOPE), null) !== null ||
    owes(plan, state, ROOT_SCOPE, all);
  if (!isUnwound && isLeft) {
    turn.emit({ type: 'unwinding', scope: ROOT_SCOPE, reason: 'cancel', error: null, ...all });
    // What ended since the cancel was requested moved no thread: that of a `finally` may stand where nothing else wakes it.
    turn.visitAll();
    return;
  }
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

/** What a cancel closes, and undoes if the workflow says so. */
function allOf({ compensateOn }: Plan): Pick<Closing, 'path' | 'since'> {
  return { path: '', ...(compensateOn.cancel ? { since: 0 } : {}) };
}
