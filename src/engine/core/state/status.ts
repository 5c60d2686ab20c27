import type { RunState } from './state.js';

/** What callers see of a run's state (interface, section 3). */
export type RunStatus = 'pending' | 'running' | 'paused' | 'completed' | 'failed';

/**
 * `running`: something can move without a person. `paused`: nothing can, and a gate or a pause is open.
 * A cancelled run is shown as failed.
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
      return isWaitingForPeople(state) ? 'paused' : 'running';
  }
}

function isWaitingForPeople(state: RunState): boolean {
  if (state.gates.size === 0 && state.pauses.size === 0) return false;
  if (state.timers.size > 0) return false;
  return state.executions.size === 0 || state.executions.every((execution) => execution.held);
}

export function isOver(state: RunState): boolean {
  return state.phase === 'completed' || state.phase === 'failed' || state.phase === 'cancelled';
}

/** Ms of time not paused, up to the instant `at` (epoch ms). */
export function activeMsAt(state: RunState, at: number): number {
  return state.activeMs + (state.activeSince === null ? 0 : Math.max(0, at - state.activeSince));
}

/** Epoch ms at which the run has used up `policy.timeout.workflowMs`; null while that clock stands. */
export function deadlineOf(state: RunState): number | null {
  if (state.activeLimitMs === null || state.activeSince === null) return null;
  return state.activeSince + state.activeLimitMs - state.activeMs;
}

/** The earliest instant at which the run moves by itself, or null. Executions without a back-off move now. */
export function wakeAtOf(state: RunState): number | null {
  if (state.phase !== 'live') return null;
  let earliest = deadlineOf(state) ?? Infinity;
  state.timers.forEach((timer) => {
    earliest = Math.min(earliest, timer.dueAt);
  });
  state.executions.forEach((execution) => {
    if (execution.retryAt > 0 && !execution.held) earliest = Math.min(earliest, execution.retryAt);
  });
  return earliest === Infinity ? null : earliest;
}
