import type { RunEvent } from '../../core/log/event.js';
import { encodeState } from '../../core/state/state-codec.js';
import { STATE_VERSION, type RunState } from '../../core/state/state.js';
import type { StoredState } from '../../ports/run-store.js';
import { approximateChars } from '../../core/json-size.js';

/** A shorter log is folded in less time than it takes to say that it should not be. */
const SHORTEST_LOG_CHARS = 64 * 1024;
/** How many times its own size the log since the last one must be: full states add a quarter to a log at most. */
const LOG_PER_STATE = 4;

/**
 * Says when a full state is worth its place: when the log since the last one has outgrown it. A run whose state
 * grows as fast as its log never stores one, for folding that log costs no more than reading the state would.
 */
export class StatePace {
  private logChars = 0;
  private nextLookAtChars = SHORTEST_LOG_CHARS;

  /** The log as it was loaded: these events come after the last stored state. */
  restart(events: readonly RunEvent[]): void {
    this.logChars = 0;
    this.nextLookAtChars = SHORTEST_LOG_CHARS;
    for (const event of events) this.logChars += approximateChars(event);
  }

  /** The state to store with these events, which lead to it; null most of the time. */
  stateToStore(state: RunState, events: readonly RunEvent[]): StoredState | null {
    for (const event of events) this.logChars += approximateChars(event);
    if (this.logChars < this.nextLookAtChars) return null;
    const encoded = encodeState(state);
    const worthChars = LOG_PER_STATE * approximateChars(encoded);
    const isWorth = this.logChars >= worthChars;
    // Looking costs as much as the state is large, so the log has to grow by as much before the next look.
    this.nextLookAtChars = Math.max(SHORTEST_LOG_CHARS, worthChars);
    if (!isWorth) return null;
    this.logChars = 0;
    return { seq: state.seq, stateVersion: STATE_VERSION, state: encoded };
  }
}
