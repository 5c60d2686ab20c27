import type { RunState } from '../../core/state/state.js';
import { wakeAtOf } from '../../core/state/status.js';

/**
 * When the run has to be woken, or null. A retry that is due by `now` was dispatched: it is in flight, or waits for a
 * place or its unit, and needs no alarm.
 */
export function nextAlarm(state: RunState, now: number): number | null {
  const wakeAt = wakeAtOf(state);
  if (wakeAt === null || wakeAt > now) return wakeAt;
  return wakeAtOf({ ...state, executions: state.executions.filter(({ retryAt }) => retryAt > now) });
}
