import { approximateChars } from '../../core/json-size.js';
import type { RunStore } from '../../ports/run-store.js';
import { inTurns, nextTurn } from '../../ports/turns.js';
import type { EventView, PublicEvent } from '../../public-events.js';
import { AtMost } from '../children/at-most.js';
import { RunLogPages } from '../requests/run-log-pages.js';
import { EventPage, type PageBounds } from './event-page.js';
import { wholeOf, type EventOwner, type Shown } from './shown-event.js';

/** What of a log one page looks at: where little of it is told, a page is short. */
const MAX_LOOKED_AT = 20_000;
const MAX_LOOKED_AT_CHARS = 4 * 1024 * 1024;
/** Read at once; what is small is not read again and again. */
const LEAST_READ = 50;
const MOST_READ = 1_000;
/** Of what is read much may not be told; what is told and not taken is read again for the next page. */
const MOST_READ_PER_BYTE = 4;
/** The first stretch from the end; each further one is as long as all before it. */
const FIRST_STRETCH = 16;
/** So many pages are made at once, however many ask: each holds up to a megabyte of the log. */
const PAGES_AT_ONCE = 8;

export interface ReadEvents {
  /** Oldest first. */
  readonly items: readonly PublicEvent[];
  /** Of the last event of the log that was looked at, whether or not it is told. */
  readonly seq: number;
  /** There was nothing behind it. */
  readonly isLast: boolean;
}

/** Makes pages of what runs did from their logs, in turns, and holds no more of a log than it needs for one. */
export class EventPages {
  private readonly log: RunLogPages;
  private readonly places = new AtMost(PAGES_AT_ONCE);

  constructor(store: Pick<RunStore, 'readEvents'>) {
    this.log = new RunLogPages(store);
  }

  /** May be short, or empty, before the end. */
  after(owner: EventOwner, afterSeq: number, bounds: PageBounds): Promise<ReadEvents> {
    return this.places.run(() => this.readAfter(owner, afterSeq, bounds));
  }

  /** The newest up to `lastSeq`; fewer than asked for where little of the log's end is told. */
  newest(owner: EventOwner, lastSeq: number, bounds: PageBounds): Promise<readonly PublicEvent[]> {
    return this.places.run(() => this.readNewest(owner, lastSeq, bounds));
  }

  /** With all of its values; null: there is no such event, or nothing of it is told. */
  async one(owner: EventOwner, seq: number, view: EventView): Promise<PublicEvent | null> {
    const [event] = await this.log.after(owner.runId, seq - 1, 1);
    return event?.seq === seq ? wholeOf(owner, event, view) : null;
  }

  private async readAfter(owner: EventOwner, afterSeq: number, bounds: PageBounds): Promise<ReadEvents> {
    const page = new EventPage(owner, bounds);
    const atOnce = Math.min(MOST_READ, Math.max(LEAST_READ, 2 * bounds.limit));
    let seq = afterSeq;
    for (let looked = 0, chars = 0; looked < MAX_LOOKED_AT && chars < MAX_LOOKED_AT_CHARS;) {
      if (looked > 0) await nextTurn();
      const events = await this.log.after(owner.runId, seq, atOnce, MOST_READ_PER_BYTE * bounds.maxBytes);
      if (events.length === 0) return { items: page.items, seq, isLast: true };
      const taken = await inTurns(page.take(events, seq));
      seq = taken.seq;
      if (taken.isFull) break;
      looked += events.length;
      chars += approximateChars(events);
    }
    return { items: page.items, seq, isLast: false };
  }

  private async readNewest(
    owner: EventOwner,
    lastSeq: number,
    { limit, maxBytes, view }: PageBounds,
  ): Promise<readonly PublicEvent[]> {
    const newestFirst: PublicEvent[] = [];
    let bytes = 0;
    let chars = 0;
    for (let end = lastSeq, length = FIRST_STRETCH; end > 0 && chars < MAX_LOOKED_AT_CHARS; length *= 2) {
      const start = Math.max(0, end - Math.min(length, MOST_READ));
      const stretch = await this.stretch(owner, { start, end, view });
      chars += stretch.chars;
      for (const shown of stretch.shown.toReversed()) {
        bytes += shown.bytes;
        const isFull = newestFirst.length >= limit || (bytes > maxBytes && newestFirst.length > 0);
        if (isFull) return newestFirst.toReversed();
        newestFirst.push(shown.event);
      }
      end = start;
      if (newestFirst.length >= limit || lastSeq - end >= MAX_LOOKED_AT) break;
    }
    return newestFirst.toReversed();
  }

  /** What is told of the events after `start` up to `end`. */
  private async stretch(
    owner: EventOwner,
    { start, end, view }: { readonly start: number; readonly end: number; readonly view: EventView },
  ): Promise<{ readonly shown: readonly Shown[]; readonly chars: number }> {
    const page = new EventPage(owner, { limit: Infinity, maxBytes: Infinity, view });
    let chars = 0;
    for (let seq = start; seq < end;) {
      const events = await this.log.after(owner.runId, seq, end - seq);
      if (events.length === 0) break;
      seq = (await inTurns(page.take(events, seq))).seq;
      chars += approximateChars(events);
      await nextTurn();
    }
    return { shown: page.shown, chars };
  }
}
