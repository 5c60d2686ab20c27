import { ROOT_SCOPE } from '../../state/scope.js';
import { rootPath } from '../../state/state.js';
import { isSuspended, isStopped } from '../../state/status.js';
import type { Turn } from '../turn.js';

/** Outputs of what was in flight are recorded after the pause, up to this size together. */
const MORE_STATE_CHARS = 16 * 1024 * 1024;

/**
 * Pauses a run that has exceeded a limit, unless it is stopped already. When the outputs of what was still in flight make
 * its state much larger than that, it is paused once more and suspended by it: what is left in flight is released, and
 * called again, under the same keys, when the run is resumed.
 */
export function pauseAtExceededLimit(turn: Turn): void {
  const { state } = turn;
  if (state.phase !== 'live' || !turn.exceedsLimits || isSuspended(state)) return;
  if (isStopped(state) && state.stateChars <= turn.limits.maxStateChars + MORE_STATE_CHARS) return;
  // The signal meant nothing and the run has nothing to do: there is nothing to pause.
  if (turn.events.length === 0 && turn.continuation === null) return;
  turn.emit({
    type: 'paused',
    path: rootPath(state),
    scope: ROOT_SCOPE,
    unitId: '',
    reason: 'limit',
    executionId: null,
    error: exceededLimit(turn),
  });
}

/** Which limit the run has exceeded, and what to do. */
function exceededLimit({ state, limits, tooDeep }: Turn): string {
  const { stateChars, logChars } = state;
  if (stateChars > limits.maxStateChars) {
    return (
      `The state of the run takes about ${stateChars} characters, its keys and its ${state.scopes.size} open scopes counted with it, more than ` +
      `the ${limits.maxStateChars} that FLOWGATE_MAX_STATE_BYTES allows: raise it and resume the run, or resume it from an earlier checkpoint.`
    );
  }
  if (logChars > limits.maxLogChars) {
    return (
      `The log of the run holds about ${logChars} characters, more than the ${limits.maxLogChars} that ` +
      'FLOWGATE_MAX_LOG_BYTES allows: see whether the run does what it should, then raise it and resume the run.'
    );
  }
  return (
    `The run is about to nest its branches and passes ${tooDeep} deep, more than the ${limits.maxNesting} levels that ` +
    'FLOWGATE_MAX_NESTING allows: see whether the run does what it should, then raise it and resume the run.'
  );
}
