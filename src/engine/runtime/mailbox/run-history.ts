import type { RunEvent } from '../../core/log/event.js';
import type { RunState } from '../../core/state/state.js';

/** Above this many events, or characters, the history is left to the store. */
const MAX_EVENTS = 5_000;
const MAX_CHARS = 1024 * 1024;

/** The events of a live run, as long as they are few: most records are built from them without reading the store. */
export class RunHistory {
  /** Null: there are too many, or the run was not read from its start. */
  events: RunEvent[] | null = [];

  /** The run was loaded; `events` is its whole log, or empty. */
  restart(events: readonly RunEvent[], state: RunState): void {
    this.events = [...events];
    this.keepFew(state);
  }

  /** The events were appended, and led to the state. */
  add(events: readonly RunEvent[], state: RunState): void {
    if (this.events === null) return;
    if (this.events.length + events.length <= MAX_EVENTS) for (const event of events) this.events.push(event);
    this.keepFew(state);
  }

  private keepFew({ seq, logChars }: RunState): void {
    if (this.events?.length !== seq || logChars > MAX_CHARS) this.events = null;
  }
}
