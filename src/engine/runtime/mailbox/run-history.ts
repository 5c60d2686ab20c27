import type { RunEvent } from '../../core/log/event.js';

/** Above this many events the history is left to the store. */
const MAX_EVENTS = 5_000;

/** The events of a live run, as long as they are few: most records are made of them without asking the store. */
export class RunHistory {
  /** Null: too many, or the run was not read from its start. */
  events: RunEvent[] | null = [];

  /** The run was loaded; `storedSeq`: of the state that its events come after. */
  restart(events: readonly RunEvent[], storedSeq: number): void {
    this.events = storedSeq === 0 && events.length <= MAX_EVENTS ? [...events] : null;
  }

  add(events: readonly RunEvent[]): void {
    if (this.events === null) return;
    if (this.events.length + events.length > MAX_EVENTS) this.events = null;
    else for (const event of events) this.events.push(event);
  }
}
