import type { StoredEvent, StoredState } from '../../../engine/ports/store/append.js';
import type { LoadedRun } from '../../../engine/ports/store/run-log.js';
import { inSlices } from '../../../engine/scheduling/slice.js';
import { longWork } from '../../../engine/scheduling/yielder.js';
import type { ReadPoint } from './read-point.js';
import {
  readPage,
  readRow,
  startLoading,
  takeInto,
  type EventPage,
  type EventRange,
  type LargeAppend,
} from '../operations/log/read-run.js';
import type { StateText } from '../operations/log/states.js';
import { joinJson } from '../threads/json-pieces.js';
import type { Scanner } from './scanner.js';

/** A run is loaded with about this many characters of its log; the rest is read page by page while it is folded. */
const LOADED_CHARS = 1024 * 1024;

export interface RunReadsOptions {
  /** Reads by key, on the calling thread. */
  readonly read: ReadPoint;
  /** The reader thread. */
  readonly scanner: () => Scanner;
  /** Called before what is large of a run is parsed, with its last seq, and when that is done, with null. */
  readonly atRisk: (runId: string, lastSeq: number | null) => void;
}

/**
 * Reads runs, whose size has no bound, without blocking the event loop: short ones at once, long ones page by page, yielding
 * to the event loop in between, and what is large in one piece (an append, a state) by way of the reader thread.
 */
export class RunReads {
  constructor(private readonly options: RunReadsOptions) {}

  async load(runId: string, atSeq: number | null): Promise<LoadedRun | null> {
    const untilSeq = atSeq ?? Number.MAX_SAFE_INTEGER;
    for (;;) {
      const start = this.options.read((points) => startLoading(points, runId, untilSeq));
      if (start === null) return null;
      const { row, state, page } = start;
      const isLarge = state?.text === null || page.next !== 'end';
      if (isLarge) this.options.atRisk(runId, row.lastSeq);
      try {
        const storedState = state === null ? null : await this.parsed(runId, state);
        if (storedState === 'gone') continue;
        const afterSeq = state?.seq ?? 0;
        const limit = Math.min(untilSeq, row.lastSeq) - afterSeq;
        const events = await this.collect({ runId, afterSeq, limit }, page, LOADED_CHARS);
        // A run that is purged while it is read does not exist.
        if (events.length < limit && this.options.read((points) => readRow(points, runId)) === null)
          return null;
        return { row, storedState, events };
      } finally {
        if (isLarge) this.options.atRisk(runId, null);
      }
    }
  }

  /** Ends early once it has `maxChars`, but not before it has an event. */
  async readEvents(range: EventRange, maxChars: number): Promise<readonly StoredEvent[]> {
    return this.collect(range, this.page(range, maxChars), maxChars);
  }

  private async collect(
    { runId, afterSeq, limit }: EventRange,
    first: EventPage,
    maxChars: number,
  ): Promise<readonly StoredEvent[]> {
    const { events } = first;
    let { chars } = first;
    for (let page = first; page.next !== 'end' && (events.length === 0 || chars < maxChars);) {
      const rest = { runId, afterSeq: events.at(-1)?.seq ?? afterSeq, limit: limit - events.length };
      if (page.next === 'more') {
        await longWork.next();
        page = this.page(rest, maxChars - chars);
      } else page = await this.largePage(rest, page.next);
      for (const event of page.events) events.push(event);
      chars += page.chars;
    }
    return events;
  }

  private page(range: EventRange, maxChars: number): EventPage {
    return this.options.read((points) => readPage(points, range, maxChars));
  }

  private async parsed(runId: string, { seq, stateVersion, text }: StateText): Promise<StoredState | 'gone'> {
    if (text !== null) {
      const state = this.options.read(() => JSON.parse(text) as StoredState['state']);
      return { seq, stateVersion, state };
    }
    const pieces = await this.options.scanner().readLarge({ of: 'state', runId, seq });
    return pieces === null ? 'gone' : { seq, stateVersion, state: await inSlices(joinJson(pieces)) };
  }

  private async largePage(
    { runId, afterSeq, limit }: EventRange,
    { seq, bytes }: LargeAppend,
  ): Promise<EventPage> {
    const pieces = await this.options.scanner().readLarge({ of: 'append', runId, seq });
    if (pieces === null) return { events: [], chars: 0, next: 'end' };
    const appended = (await inSlices(joinJson(pieces))) as unknown as readonly StoredEvent[];
    const events: StoredEvent[] = [];
    const isFull = takeInto(events, appended, afterSeq, limit);
    return { events, chars: bytes, next: isFull ? 'end' : 'more' };
  }
}
