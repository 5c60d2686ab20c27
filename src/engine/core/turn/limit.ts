import { ROOT_SCOPE } from '../state/scope.js';
import { rootPath } from '../state/state.js';
import { isStopped } from '../state/status.js';
import type { Turn } from './turn.js';

/** Pauses a run whose state has outgrown its limit, unless it stands still already. */
export function pauseBeyondLimits(turn: Turn): void {
  const { state } = turn;
  if (state.phase !== 'live' || !turn.isBeyondLimits || isStopped(state)) return;
  // A signal that meant nothing, to a run that has nothing to do: there is nothing to stop.
  if (turn.events.length === 0 && turn.ready.size === 0) return;
  const error =
    `The state of the run holds about ${state.stateChars} characters, more than the ${turn.maxStateChars} that ` +
    'FLOWGATE_MAX_STATE_BYTES allows: raise it and resume the run, or resume it from an earlier checkpoint.';
  turn.emit({
    type: 'paused',
    path: rootPath(state),
    scope: ROOT_SCOPE,
    unitId: '',
    reason: 'limit',
    executionId: null,
    error,
  });
}
