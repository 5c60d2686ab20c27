import { approximateChars } from '../../core/json-size.js';
import { encodeState } from '../../core/state/state-codec.js';
import { STATE_VERSION, type RunState } from '../../core/state/state.js';
import type { StoredState } from '../../ports/run-store.js';

/** A shorter log is folded in less time than it takes to say that it should not be. */
const SHORTEST_LOG_CHARS = 64 * 1024;
/** How many times its own size the log since the last one must be: full states add a quarter to a log at most. */
const LOG_PER_STATE = 4;
/** A larger state is never stored: writing and reading it would hold everybody up, folding the log does not. */
const LARGEST_STATE_CHARS = 4 * 1024 * 1024;
/** What one scope, wait or unit takes beside what it holds. */
const CHARS_OF_AN_ENTRY = 150;

/**
 * Says when a full state is worth its place: when the log since the last one has outgrown it. A run whose state
 * grows as fast as its log never stores one, for folding that log costs no more than reading the state would.
 */
export class StatePace {
  private storedAtChars = 0;
  private nextLookAtChars = SHORTEST_LOG_CHARS;

  /**
   * The run was loaded, from a state that was stored when its log held so many characters. Less than 0: no state was, and
   * as many characters of the runs that it is a fork of have to be folded before it.
   */
  restart(storedAtChars: number): void {
    this.storedAtChars = storedAtChars;
    this.nextLookAtChars = SHORTEST_LOG_CHARS;
  }

  /** The state to store with the events that lead to it; null most of the time. */
  stateToStore(state: RunState): StoredState | null {
    const logChars = state.logChars - this.storedAtChars;
    if (logChars < this.nextLookAtChars) return null;
    if (sizeWithoutLooking(state) > LARGEST_STATE_CHARS) {
      this.nextLookAtChars = logChars + LARGEST_STATE_CHARS;
      return null;
    }
    const encoded = encodeState(state);
    const stateChars = approximateChars(encoded);
    const worthChars = LOG_PER_STATE * stateChars;
    this.nextLookAtChars = Math.max(SHORTEST_LOG_CHARS, worthChars);
    if (logChars < worthChars) {
      // Looking costs as much as the state is large, so the log has to grow by as much before the next look: a state that
      // grows a little slower than its log would else be looked at again and again just before its time.
      this.nextLookAtChars = Math.max(this.nextLookAtChars, logChars + stateChars);
      return null;
    }
    this.storedAtChars = state.logChars;
    return { seq: state.seq, stateVersion: STATE_VERSION, state: encoded };
  }
}

function sizeWithoutLooking({ stateChars, scopes, waits, decisions, completed }: RunState): number {
  return stateChars + CHARS_OF_AN_ENTRY * (scopes.size + waits.size + decisions.size + completed.size);
}
