import type { StoredEvent } from '../../../engine/ports/store/append.js';
import { Slice } from '../../../engine/scheduling/slice.js';
import { numberOf, textOf, textOrNull } from '../database/columns.js';
import type { Columns, Query } from '../database/database.js';
import { parseJson } from './json-in-slices.js';

/** A page of a log holds no more texts than this, unless a single one is longer. */
export const PAGE_BYTES = 1024 * 1024;
/** Longer texts are fetched by themselves, so that none of them is in memory together with a page. */
export const MAX_INLINE_BYTES = 262_144;
/** The rows of a page at most. */
export const PAGE_ROWS = 1_000;

const READ_APPEND = 'SELECT events FROM @.log WHERE run_id = $1::uuid AND last_seq = $2::bigint';

/** The placeholders, or the SQL, of what a page is of. */
interface PageOf {
  readonly runId: string;
  /** Events after this seq. */
  readonly afterSeq: string;
  /** And up to this one. */
  readonly untilSeq: string;
}

/**
 * The appends with those events, by seq, each with its size and with that of those before it on the page. An append has several
 * events, so the first may begin before the page, and the last may end after it. `octet_length` does not read the text. The values
 * of the page's bounds are `rows` and `bytes`; the first append is on the page in any case.
 */
export function pageOfLog({ runId, afterSeq, untilSeq }: PageOf, rows: string): string {
  return `
    SELECT p.last_seq AS append_seq, p.bytes, p.events,
      (sum(p.bytes) OVER (ORDER BY p.last_seq) - p.bytes)::bigint AS bytes_before
    FROM (
      SELECT l.last_seq, octet_length(l.events) AS bytes, l.events FROM @.log AS l
      WHERE l.run_id = ${runId} AND l.last_seq > ${afterSeq}
        AND l.last_seq <= coalesce((
          SELECT c.last_seq FROM @.log AS c WHERE c.run_id = ${runId} AND c.last_seq >= ${untilSeq}
          ORDER BY c.last_seq LIMIT 1
        ), ${untilSeq})
      ORDER BY l.last_seq LIMIT ${rows}
    ) AS p`;
}

/** Whether an append of `pageOfLog` is on the page. `bytes`: the placeholder of how much there may be on it. */
export function isOnPage(alias: string, bytes: string): string {
  return `(${alias}.bytes_before = 0 OR ${alias}.bytes_before + ${alias}.bytes <= ${bytes})`;
}

/** The columns of an append on a page; the text is left out where it is long. */
export function appendColumns(alias: string): string {
  return `${alias}.append_seq, ${alias}.bytes,
    CASE WHEN ${alias}.bytes <= ${MAX_INLINE_BYTES} THEN ${alias}.events END AS events`;
}

/** An append as a page has it. */
export interface AppendOnPage {
  /** Seq of its last event. */
  readonly lastSeq: number;
  readonly bytes: number;
  /** Null: it is long, and has to be fetched. */
  readonly text: string | null;
}

/** Rows that have none are those of a run without such events. */
export function appendsOf(rows: readonly Columns[]): readonly AppendOnPage[] {
  const appends: AppendOnPage[] = [];
  for (const columns of rows) {
    if (columns['append_seq'] === null) continue;
    appends.push({
      lastSeq: numberOf(columns, 'append_seq'),
      bytes: numberOf(columns, 'bytes'),
      text: textOrNull(columns, 'events'),
    });
  }
  return appends;
}

/** Which events of a run are wanted: those after one seq, up to another. */
export interface EventRange {
  readonly runId: string;
  readonly afterSeq: number;
  readonly untilSeq: number;
}

/**
 * Parses the texts of a page, one after the other, and yields to the event loop where that takes longer than a slice. Texts that
 * are long are fetched. False: one was gone, with its run.
 */
export async function addEvents(
  query: Query,
  { runId, afterSeq, untilSeq }: EventRange,
  appends: readonly AppendOnPage[],
  events: StoredEvent[],
): Promise<boolean> {
  const slice = new Slice();
  for (const { lastSeq, text: inline } of appends) {
    if (slice.isOver) await slice.next();
    const text = inline ?? (await readAppend(query, runId, lastSeq));
    if (text === null) return false;
    for (const event of await eventsIn(text)) {
      if (event.seq > afterSeq && event.seq <= untilSeq) events.push(event);
    }
  }
  return true;
}

/** The events of one append, from their text. */
export async function eventsIn(text: string): Promise<readonly StoredEvent[]> {
  return (await parseJson(text)) as unknown as readonly StoredEvent[];
}

async function readAppend(query: Query, runId: string, lastSeq: number): Promise<string | null> {
  const [columns] = await query(READ_APPEND, [runId, lastSeq]);
  return columns === undefined ? null : textOf(columns, 'events');
}
