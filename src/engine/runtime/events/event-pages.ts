import { approximateChars } from '../../core/json-size.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import type { RunLog } from '../../ports/store/run-log.js';
import { inSlices } from '../../scheduling/slice.js';
import { longWork } from '../../scheduling/yielder.js';
import type { PublicEvent } from '../../public-events.js';
import type { EventView } from '../../vocabulary.js';
import { RunLogPages } from '../reading/run-log-pages.js';
import { EventPage, type PageBounds } from './event-page.js';
import { wholeOf, type EventOwner, type Shown } from './shown-event.js';
import { Semaphore, type WaiterOptions } from '../../scheduling/semaphore.js';

/** One page looks at this much of a log at most: where few of its events are shown, the page is short. */
const MAX_LOOKED_AT = 20_000;
const MAX_LOOKED_AT_CHARS = 4 * 1024 * 1024;
/** Bounds of the events that are read at once; the lower one spares the store many small reads. */
const LEAST_READ = 50;
const MOST_READ = 1_000;
/** Much of what is read may not be shown; events that would be shown but do not fit are read again for the next page. */
const MOST_READ_PER_BYTE = 4;
/** The first window from the end, in events; each further one is twice as long as the one before. */
const FIRST_WINDOW = 16;
/** At most so many pages are built at once, however many are requested: each holds up to a megabyte of the log. */
const PAGES_AT_ONCE = 8;

export interface ReadEvents {
  /** Oldest first. */
  readonly items: readonly PublicEvent[];
  /** The seq of the last event that was looked at, whether or not it is shown. */
  readonly seq: number;
  /** True: there was nothing after it. */
  readonly isLast: boolean;
}

/** Builds pages of events from the logs of runs in short slices, and holds no more of a log than one page needs. */
export class EventPages {
  private readonly log: RunLogPages;
  private readonly slots = new Semaphore(PAGES_AT_ONCE);

  constructor(store: Pick<RunLog, 'readEvents'>) {
    this.log = new RunLogPages(store);
  }

  /** The page may be short, or empty, before the end of the log. */
  after(owner: EventOwner, afterSeq: number, bounds: PageBounds): Promise<ReadEvents> {
    return this.slots.run(() => this.readAfter(owner, afterSeq, bounds), turnOf(owner));
  }

  /** The newest events up to `lastSeq`; fewer than requested where few events at the end of the log are shown. */
  newest(owner: EventOwner, lastSeq: number, bounds: PageBounds): Promise<readonly PublicEvent[]> {
    return this.slots.run(() => this.readNewest(owner, lastSeq, bounds), turnOf(owner));
  }

  /** The event with all of its values; null: there is no such event, or it is not shown. */
  async one(owner: EventOwner, seq: number, view: EventView): Promise<PublicEvent | null> {
    const [event] = await this.log.after(owner.runId, seq - 1, 1);
    return event?.seq === seq ? wholeOf(owner, event, view) : null;
  }

  private async readAfter(owner: EventOwner, afterSeq: number, bounds: PageBounds): Promise<ReadEvents> {
    const page = new EventPage(owner, bounds);
    const atOnce = Math.min(MOST_READ, Math.max(LEAST_READ, 2 * bounds.limit));
    let seq = afterSeq;
    for (let looked = 0, chars = 0; looked < MAX_LOOKED_AT && chars < MAX_LOOKED_AT_CHARS;) {
      if (looked > 0) await longWork.next();
      const events = await this.log.after(owner.runId, seq, atOnce, MOST_READ_PER_BYTE * bounds.maxBytes);
      if (events.length === 0) return { items: page.items, seq, isLast: true };
      const taken = await inSlices(page.take(events, seq));
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
    for (let end = lastSeq, length = FIRST_WINDOW; end > 0 && chars < MAX_LOOKED_AT_CHARS; length *= 2) {
      const start = Math.max(0, end - Math.min(length, MOST_READ));
      const window = await this.window(owner, { start, end, view });
      chars += window.chars;
      for (const shown of window.shown.toReversed()) {
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

  /** The events after `start` up to `end`, as far as they are shown. */
  private async window(
    owner: EventOwner,
    { start, end, view }: { readonly start: number; readonly end: number; readonly view: EventView },
  ): Promise<{ readonly shown: readonly Shown[]; readonly chars: number }> {
    const page = new EventPage(owner, { limit: Infinity, maxBytes: Infinity, view });
    let chars = 0;
    for (let seq = start; seq < end;) {
      const events = await this.log.after(owner.runId, seq, end - seq);
      if (events.length === 0) break;
      seq = (await inSlices(page.take(events, seq))).seq;
      chars += approximateChars(events);
      await longWork.next();
    }
    return { shown: page.shown, chars };
  }
}

function turnOf({ namespace = DEFAULT_NAMESPACE }: EventOwner): WaiterOptions {
  return { caller: namespace };
}
