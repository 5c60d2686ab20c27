import type { StoredEvent } from '../../../../engine/ports/store/append.js';
import type { RunRow } from '../../../../engine/ports/store/run-row.js';
import { numberOf, ROW_COLUMNS, rowOf, textOrNull } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { readStateColumns, type StateText } from './states.js';

/** Texts of more bytes are not parsed on the shared thread: the reader thread splits them. */
const MAX_TEXT_BYTES = 262_144;
/** A page ends after this many characters, to yield to the event loop. */
const MAX_PAGE_CHARS = 262_144;

const READ_ROW = `SELECT ${ROW_COLUMNS} FROM runs WHERE run_id = ?`;

/** An append whose last event comes after the seq may begin before it. `octet_length` does not read the text. */
const READ_LOG = `
  SELECT
    last_seq, octet_length(events) AS bytes,
    CASE WHEN octet_length(events) <= ${MAX_TEXT_BYTES} THEN events END AS events
  FROM log WHERE run_id = ? AND last_seq > ? ORDER BY last_seq`;

const READ_APPEND = 'SELECT events FROM log WHERE run_id = ? AND last_seq = ?';

export interface EventRange {
  readonly runId: string;
  readonly afterSeq: number;
  readonly limit: number;
}

/** Some of the requested events. */
export interface EventPage {
  readonly events: StoredEvent[];
  readonly chars: number;
  /** What comes next: no other event, others, or an append that the reader thread has to split. */
  readonly next: 'end' | 'more' | LargeAppend;
}

export interface LargeAppend {
  /** The seq of its last event. */
  readonly seq: number;
  readonly bytes: number;
}

/** What one commit shows of a run; the rest of its log never changes. */
export interface LoadStart {
  readonly row: RunRow;
  /** Null: none was stored. */
  readonly state: StateText | null;
  readonly page: EventPage;
}

export function readRow(connection: Connection, runId: string): RunRow | null {
  const columns = connection.statement(READ_ROW).get(runId);
  return columns === undefined ? null : rowOf(columns);
}

/** Reads the row, the stored state and the first events from the same commit. */
export function startLoading(connection: Connection, runId: string, untilSeq: number): LoadStart | null {
  return connection.snapshot(() => {
    const row = readRow(connection, runId);
    if (row === null) return null;
    const state = readStateColumns(connection, runId, untilSeq, MAX_TEXT_BYTES);
    const afterSeq = state?.seq ?? 0;
    const limit = Math.min(untilSeq, row.lastSeq) - afterSeq;
    return { row, state, page: readPage(connection, { runId, afterSeq, limit }) };
  });
}

export function readPage(
  connection: Connection,
  { runId, afterSeq, limit }: EventRange,
  maxChars = MAX_PAGE_CHARS,
): EventPage {
  const events: StoredEvent[] = [];
  let chars = 0;
  const page = (next: EventPage['next']): EventPage => ({ events, chars, next });
  if (limit <= 0) return page('end');
  for (const columns of connection.statement(READ_LOG).iterate(runId, afterSeq)) {
    if (chars > Math.min(maxChars, MAX_PAGE_CHARS)) return page('more');
    const text = textOrNull(columns, 'events');
    if (text === null) return page({ seq: numberOf(columns, 'last_seq'), bytes: numberOf(columns, 'bytes') });
    chars += text.length;
    const appended: readonly StoredEvent[] = JSON.parse(text);
    if (takeInto(events, appended, afterSeq, limit)) return page('end');
  }
  return page('end');
}

/** Takes the events after `afterSeq`; true once there are `limit` of them. */
export function takeInto(
  events: StoredEvent[],
  appended: readonly StoredEvent[],
  afterSeq: number,
  limit: number,
): boolean {
  for (const event of appended) {
    if (event.seq <= afterSeq) continue;
    if (events.length >= limit) return true;
    events.push(event);
  }
  return events.length >= limit;
}

/** The JSON text of one append, or null when the run was purged. */
export function readAppend(connection: Connection, runId: string, lastSeq: number): string | null {
  const columns = connection.statement(READ_APPEND).get(runId, lastSeq);
  return columns === undefined ? null : textOrNull(columns, 'events');
}

/** Reads the newest run, to see whether that can be done. */
export function checkRuns(connection: Connection): void {
  connection.statement('SELECT run_id FROM runs ORDER BY created_at DESC, run_id DESC LIMIT 1').get();
}
