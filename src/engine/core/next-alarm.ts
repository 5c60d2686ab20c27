import type { RunState } from './state/state.js';
import { deadlineOf, isSetAside } from './state/status.js';
import { nextLookAt } from './waits/books.js';
import { isActedUpon } from './waits/kinds.js';

/**
 * When the run has to be woken (epoch ms), or null. A wait that the shell acts upon itself, such as a retry that was
 * dispatched, needs no alarm once it is due: it is in flight, or waits for a place or its unit.
 */
export function nextAlarm(state: RunState, now: number): number | null {
  if (state.phase !== 'live' || isSetAside(state)) return null;
  const deadline = deadlineOf(state);
  if (state.due === null && state.passed === null) return deadline;
  const lookAt = nextLookAt(state, now, isActedUpon);
  if (lookAt === null || deadline === null) return lookAt ?? deadline;
  return Math.min(lookAt, deadline);
}
