import type { RunStatus } from '../../vocabulary.js';
import { closingsOf } from './closings.js';
import { ROOT_SCOPE } from './scope.js';
import type { RunState } from './state.js';

/**
 * `running`: something can move without a person. `paused`: nothing can, and a gate or a pause is open.
 * A cancelled run is shown as failed. All of this file costs the same however many waits are open.
 */
export function statusOf(state: RunState): RunStatus {
  switch (state.phase) {
    case 'pending':
    case 'completed':
    case 'failed':
      return state.phase;
    case 'cancelled':
      return 'failed';
    case 'live':
      return isSuspended(state) || isWaitingForPeople(state) ? 'paused' : 'running';
  }
}

function isWaitingForPeople({ forPeople, stops, inFlight, moving }: RunState): boolean {
  return forPeople + stops > 0 && inFlight + moving === 0;
}

export function isOver(state: RunState): boolean {
  return state.phase === 'completed' || state.phase === 'failed' || state.phase === 'cancelled';
}

/** Whether a pause keeps every thread where it is. */
export function isStopped(state: RunState): boolean {
  return state.stops + state.suspensions > 0;
}

/** Whether the run waits for what is in flight to come to its end, or for its time to be up, to be cancelled then. */
export function isEnding({ cancelling }: RunState): boolean {
  return cancelling !== null && !cancelling.isCleaningUp;
}

/** Whether nothing of the run may be called or woken before a person resumes it. */
export function isSuspended(state: RunState): boolean {
  return state.suspensions > 0;
}

/** Whether all of the run closes: what it still does is what each open `finally` says. */
export function isRunClosing({ scopes }: RunState): boolean {
  return closingsOf(scopes.get(ROOT_SCOPE)?.closing ?? null).some(({ path }) => path === '');
}

/** Ms of time not paused, up to the instant `at` (epoch ms). */
export function activeMsAt(state: RunState, at: number): number {
  return state.activeMs + (state.activeSince === null ? 0 : Math.max(0, at - state.activeSince));
}

/** Epoch ms at which the run's time is up: `policy.timeout.workflowMs`, or the grace of a cancel. Null: no clock runs. */
export function deadlineOf(state: RunState): number | null {
  const { cancelling } = state;
  if (cancelling !== null) return cancelling.isCleaningUp ? null : cancelling.graceUntil;
  if (isRunClosing(state)) return null;
  if (state.activeLimitMs === null || state.activeSince === null) return null;
  return state.activeSince + state.activeLimitMs - state.activeMs;
}

/**
 * The earliest instant at which the run moves by itself, or null. Executions in flight do not count; a retry does until it
 * is complete.
 */
export function wakeAtOf(state: RunState): number | null {
  if (state.phase !== 'live' || isSuspended(state)) return null;
  const deadline = deadlineOf(state);
  const { due, passed } = state;
  if (due === null && passed === null) return deadline;
  const earliest = Math.min(deadline ?? Infinity, due?.dueAt ?? Infinity, passed?.dueAt ?? Infinity);
  return earliest === Infinity ? null : earliest;
}

/** How many executions may be in flight; those that wait for a retry are found by `wakeAtOf`. */
export function openExecutionsOf(state: RunState): number {
  return state.phase === 'live' && !isSuspended(state) ? state.inFlight : 0;
}
