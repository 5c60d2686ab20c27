import type { RunState } from './state/state.js';
import { deadlineOf, isSuspended } from './state/status.js';
import { nextLookAt } from './waits/state-indexes.js';
import { isActedUpon } from './waits/kinds.js';

/**
 * When the run has to be woken (epoch ms), or null. A wait that the shell acts upon itself, such as a retry that was
 * dispatched, needs no wake-up once it is due: it is in flight, or waits for a slot or its unit.
 */
export function nextWakeUp(state: RunState, now: number): number | null {
  if (state.phase !== 'live' || isSuspended(state)) return null;
  const deadline = deadlineOf(state);
  if (state.due === null && state.passed === null) return deadline;
  const lookAt = nextLookAt(state, now, isActedUpon);
  if (lookAt === null || deadline === null) return lookAt ?? deadline;
  return Math.min(lookAt, deadline);
}
