import type { RunEvent } from '../../core/log/event.js';
import type { Steps } from '../../core/steps.js';
import type { PublicEvent } from '../../public-events.js';
import type { EventView } from '../../vocabulary.js';
import { shownOf, type EventOwner, type Shown } from './shown-event.js';

export interface PageBounds {
  readonly limit: number;
  /** The bound of the events' JSON; a page has at least one event, even if that alone takes more. */
  readonly maxBytes: number;
  readonly view: EventView;
}

/** Collects events as they are shown, until one more would exceed the bounds. */
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

  /** Returns the seq of the last event that it took or that is not shown; `isFull`: there is no capacity for the next. */
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
