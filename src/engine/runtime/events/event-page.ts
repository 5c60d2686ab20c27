import type { RunEvent } from '../../core/log/event.js';
import type { Steps } from '../../core/steps.js';
import type { EventView, PublicEvent } from '../../public-events.js';
import { shownOf, type EventOwner, type Shown } from './shown-event.js';

export interface PageBounds {
  readonly limit: number;
  /** Of the events' JSON; one event is there even if it alone takes more. */
  readonly maxBytes: number;
  readonly view: EventView;
}

/** Fills with what is told of the events that it is given, until one more would be too much. */
export class EventPage {
  readonly shown: Shown[] = [];
  private bytes = 0;

  constructor(
    private readonly owner: EventOwner,
    private readonly bounds: PageBounds,
  ) {}

  get items(): readonly PublicEvent[] {
    return this.shown.map(({ event }) => event);
  }

  /** Answers the seq of the last event that it took, or that says nothing; `isFull`: there is no room for the next. */
  *take(
    events: readonly RunEvent[],
    afterSeq: number,
  ): Steps<{ readonly seq: number; readonly isFull: boolean }> {
    const { limit, maxBytes, view } = this.bounds;
    let seq = afterSeq;
    for (const event of events) {
      if (this.shown.length >= limit) return { seq, isFull: true };
      const shown = yield* shownOf(this.owner, event, view);
      if (shown !== null) {
        if (this.shown.length > 0 && this.bytes + shown.bytes > maxBytes) return { seq, isFull: true };
        this.shown.push(shown);
        this.bytes += shown.bytes;
      }
      seq = event.seq;
      yield;
    }
    return { seq, isFull: this.shown.length >= limit };
  }
}
