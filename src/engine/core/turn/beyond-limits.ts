import { ROOT_SCOPE } from '../state/scope.js';
import { rootPath } from '../state/state.js';
import { isSetAside, isStopped } from '../state/status.js';
import type { Turn } from './turn.js';

/** What was in flight is recorded after the pause, as long as its outputs are not larger than this together. */
const MORE_STATE_CHARS = 16 * 1024 * 1024;

/**
 * Pauses a run that has outgrown a limit, unless it stands still already. When what was still in flight makes its state
 * much larger than that, it is paused once more, and set aside by it: the rest is let go, and called again, under the
 * same keys, when the run is resumed.
 */
export function pauseBeyondLimits(turn: Turn): void {
  const { state } = turn;
  if (state.phase !== 'live' || !turn.isBeyondLimits || isSetAside(state)) return;
  if (isStopped(state) && state.stateChars <= turn.limits.maxStateChars + MORE_STATE_CHARS) return;
  // A signal that meant nothing, to a run that has nothing to do: there is nothing to stop.
  if (turn.events.length === 0 && turn.rest === null) return;
  turn.emit({
    type: 'paused',
    path: rootPath(state),
    scope: ROOT_SCOPE,
    unitId: '',
    reason: 'limit',
    executionId: null,
    error: excessOf(turn),
  });
}

/** What the run has outgrown, and what to do. */
function excessOf({ state, limits, tooDeep }: Turn): string {
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
