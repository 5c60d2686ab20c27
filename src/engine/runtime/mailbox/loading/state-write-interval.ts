import { charsOfEncoded, encodeState } from '../../../core/state/codec/state-codec.js';
import { STATE_VERSION, type RunState } from '../../../core/state/state.js';
import type { StoredState } from '../../../ports/store/append.js';

/** Folding a shorter log is cheaper than storing a state. */
const SHORTEST_LOG_CHARS = 64 * 1024;
/** The log since the last full state must be this many times the state's size: states add at most a quarter to a log. */
const LOG_PER_STATE = 4;
/** A larger state is never stored: writing and reading it would block the event loop, folding the log does not. */
const LARGEST_STATE_CHARS = 4 * 1024 * 1024;
/** The overhead of one scope, wait or unit on top of its content. */
const CHARS_OF_AN_ENTRY = 150;

/**
 * Decides when to store a full state: when the log since the last one has outgrown it. A run whose state grows as fast
 * as its log never stores one, because folding that log costs no more than reading the state would.
 */
export class StateWriteInterval {
  private storedAtChars = 0;
  private nextLookAtChars = SHORTEST_LOG_CHARS;

  /**
   * The run was loaded from a state that was stored when its log held this many characters. Negative: it was loaded
   * without one, and this many characters of its source runs' logs have to be folded first.
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
    const stateChars = charsOfEncoded(state);
    const worthChars = LOG_PER_STATE * stateChars;
    this.nextLookAtChars = Math.max(SHORTEST_LOG_CHARS, worthChars);
    if (logChars < worthChars) {
      // Looking costs as much as the state is large, so the log has to grow by as much before the next time. Otherwise a
      // state that grows a little slower than its log would be looked at again and again just before it is worth storing.
      this.nextLookAtChars = Math.max(this.nextLookAtChars, logChars + stateChars);
      return null;
    }
    this.storedAtChars = state.logChars;
    return { seq: state.seq, stateVersion: STATE_VERSION, state: encodeState(state) };
  }
}

function sizeWithoutLooking({ stateChars, scopes, waits, decisions, completed }: RunState): number {
  return stateChars + CHARS_OF_AN_ENTRY * (scopes.size + waits.size + decisions.size + completed.size);
}
