import { approximateChars } from '../../core/json-size.js';
import { isCheckpoint } from '../../core/log/checkpoint.js';
import type { RunEvent } from '../../core/log/event.js';
import { longWork } from '../../scheduling/yielder.js';

/** Events after `afterSeq`, oldest first; none at the end. A page may be shorter than `limit`, though not empty. */
type ReadPage = (afterSeq: number, limit: number) => Promise<readonly RunEvent[]>;

const FIRST_WINDOW = 16;
const MAX_WINDOW = 1_000;
/** A window that comes to more is given up, and tried again shorter. */
const WINDOW_CHARS = 1_048_576;
/** One request looks at this much at most: its page may be short or empty, with more to come. */
const MAX_CHARS = 4 * 1024 * 1024;
const MAX_WINDOWS = 24;

export interface CheckpointPage<Item> {
  /** Newest first. */
  readonly items: readonly Item[];
  /** What is left comes before this seq; null: nothing is. */
  readonly next: number | null;
}

/**
 * What `itemOf` makes of the checkpoints before `beforeSeq`, newest first. A log can only be read forwards, so it is walked
 * back by windows that are read to their end; however large its events are, no more than a page of them is held.
 */
export async function newestCheckpoints<Item>(
  read: ReadPage,
  beforeSeq: number,
  limit: number,
  itemOf: (event: RunEvent) => Item,
): Promise<CheckpointPage<Item>> {
  const items: Item[] = [];
  let before = beforeSeq;
  let size = FIRST_WINDOW;
  let chars = 0;
  // A page that got nowhere would be requested again, for ever.
  const mayProceed = (windows: number) =>
    before === beforeSeq || (windows < MAX_WINDOWS && chars < MAX_CHARS);
  for (let windows = 0; before > 1 && mayProceed(windows); windows++) {
    if (windows > 0) await longWork.next();
    const afterSeq = Math.max(0, before - 1 - size);
    const window = await windowOf(read, { afterSeq, before, mayGiveUp: size > 1 }, itemOf);
    chars += window.chars;
    if (window.found === null) {
      size = Math.max(1, Math.floor(window.read / 2));
      continue;
    }
    for (const { seq, item } of window.found.toReversed()) {
      items.push(item);
      if (items.length >= limit) return { items, next: seq > 1 ? seq : null };
    }
    before = afterSeq + 1;
    if (window.chars < WINDOW_CHARS / 4) size = Math.min(MAX_WINDOW, size * 2);
  }
  return { items, next: before > 1 ? before : null };
}

interface Window<Item> {
  /** Oldest first; null: it was given up. */
  readonly found: readonly { readonly seq: number; readonly item: Item }[] | null;
  /** Events that were read for it. */
  readonly read: number;
  readonly chars: number;
}

async function windowOf<Item>(
  read: ReadPage,
  range: { readonly afterSeq: number; readonly before: number; readonly mayGiveUp: boolean },
  itemOf: (event: RunEvent) => Item,
): Promise<Window<Item>> {
  const { before, mayGiveUp } = range;
  const found: { readonly seq: number; readonly item: Item }[] = [];
  let [count, chars] = [0, 0];
  for (let seq = range.afterSeq; seq < before - 1;) {
    const events = await read(seq, before - 1 - seq);
    count += events.length;
    chars += approximateChars(events);
    if (mayGiveUp && chars > WINDOW_CHARS) return { found: null, read: count, chars };
    for (const event of events) if (isCheckpoint(event)) found.push({ seq: event.seq, item: itemOf(event) });
    seq = events.at(-1)?.seq ?? before;
  }
  return { found, read: count, chars };
}
