import type { RunEvent } from '../../core/log/event.js';
import { approximateChars } from '../../core/json-size.js';
import { decodeEvents } from '../../core/log/event-codec.js';
import { eventKind } from '../../core/log/event-kinds.js';
import { UNFINISHED_WHEN_IMPORTED } from '../../core/log/failure.js';
import type { RunMessage } from '../../core/log/messages.js';
import type { Steps } from '../../core/steps.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { RunRow } from '../../ports/store/run-row.js';
import { inSlices } from '../../scheduling/slice.js';
import { longWork } from '../../scheduling/yielder.js';
import { NewestMessages } from './newest-messages.js';
import type { RunFailure } from './record.js';

/** Bounds of what is read from the store at once. */
const PAGE_EVENTS = 1_000;
const PAGE_CHARS = 1_048_576;
/** One request looks at so many pages at most: what it returns may be short, or empty, with more to come. */
const MAX_PAGES = 20;
/** It looks at so many characters at most, too: pages of large events are longer than what is requested. */
const MAX_CHARS = 4 * 1024 * 1024;
/** So many events have about a thousand messages. */
const WINDOW_EVENTS = 500;
/** After the event that ended a run come only notes; where there are more than this, the log is folded. */
const MAX_NOTES = 64;

/**
 * Reads the logs of runs, which may be longer and larger than memory: a bounded page at a time, yielding to the event loop
 * in between, and never all of it at once.
 */
export class RunLogPages {
  constructor(private readonly store: Pick<RunLog, 'readEvents'>) {}

  /** Events after `afterSeq`, oldest first; none at the end. A page may be shorter than `limit`, though not empty. */
  async after(
    runId: string,
    afterSeq: number,
    limit: number,
    mostChars = PAGE_CHARS,
  ): Promise<readonly RunEvent[]> {
    const maxChars = Math.min(mostChars, PAGE_CHARS);
    return decodeEvents(await this.store.readEvents({ runId, afterSeq, limit, maxChars }), runId);
  }

  /**
   * Shows events after `afterSeq` to `see` sequentially, until it has enough, or until as many were shown as one request may
   * look at. Resolves with the seq of the last one; null: there are no more.
   */
  async walk(runId: string, afterSeq: number, see: (event: RunEvent) => boolean): Promise<number | null> {
    let seq = afterSeq;
    let chars = 0;
    for (let pages = 0; pages < MAX_PAGES && chars < MAX_CHARS; pages++) {
      if (pages > 0) await longWork.next();
      const events = await this.after(runId, seq, PAGE_EVENTS);
      if (events.length === 0) return null;
      const enoughAt = await inSlices(showUntilEnough(events, see));
      if (enoughAt !== null) return enoughAt;
      seq = events.at(-1)?.seq ?? seq;
      chars += approximateChars(events);
    }
    return seq;
  }

  /** The newest messages of the events up to `untilSeq`, as many as a record shows. */
  async newestMessages(runId: string, untilSeq: number): Promise<readonly RunMessage[]> {
    const newest = new NewestMessages(runId);
    for (let end = untilSeq; end > 0 && !newest.isFull; end -= WINDOW_EVENTS) {
      await inSlices(newest.take(await this.between(runId, Math.max(0, end - WINDOW_EVENTS), end)));
      await longWork.next();
    }
    return newest.all();
  }

  /** Why a run failed, without folding its log; null where the end of the log does not show it. */
  async failure({ runId, lastSeq }: RunRow): Promise<RunFailure | null> {
    let end = lastSeq;
    let isImported = false;
    for (let window = 1; end > 0 && window <= MAX_NOTES; window *= 2) {
      const events = await this.between(runId, Math.max(0, end - window), end);
      for (const event of events.toReversed()) {
        const error = eventKind(event.type).failure(event);
        if (error !== null) return { error, isCancelled: event.type === 'run-cancelled' };
        if (event.type === 'run-imported') isImported = true;
        else if (isImported && !eventKind(event.type).isNote)
          return { error: UNFINISHED_WHEN_IMPORTED, isCancelled: true };
      }
      end -= window;
    }
    return null;
  }

  private async between(runId: string, afterSeq: number, untilSeq: number): Promise<readonly RunEvent[]> {
    const found: RunEvent[] = [];
    for (let seq = afterSeq; seq < untilSeq;) {
      const page = await this.after(runId, seq, untilSeq - seq);
      if (page.length === 0) break;
      for (const event of page) found.push(event);
      seq = page.at(-1)?.seq ?? untilSeq;
    }
    return found;
  }
}

/** The seq of the event at which `see` had enough; may be interrupted after each. */
function* showUntilEnough(
  events: readonly RunEvent[],
  see: (event: RunEvent) => boolean,
): Steps<number | null> {
  for (const event of events) {
    if (see(event)) return event.seq;
    yield;
  }
  return null;
}
