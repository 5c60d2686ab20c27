import type { LoadedRun, RunRow, StoredEvent } from '../../../engine/ports/run-store.js';
import { ROW_COLUMNS, rowOf, textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import { readState } from './states.js';

const READ_ROW = `SELECT ${ROW_COLUMNS} FROM runs WHERE run_id = ?`;

/** An append whose last event comes after the seq may begin before it. */
const READ_LOG = 'SELECT events FROM log WHERE run_id = ? AND last_seq > ? ORDER BY last_seq';

export function readRow(connection: Connection, runId: string): RunRow | null {
  const columns = connection.statement(READ_ROW).get(runId);
  return columns === undefined ? null : rowOf(columns);
}

/** Beyond so many characters a load is one that may kill the process. */
const LARGE_CHARS = 1_048_576;

interface LoadRequest {
  readonly runId: string;
  readonly atSeq: number | null;
  /** Told before what is large is parsed; maybe several times. */
  readonly isLarge: (row: RunRow) => void;
}

/** Row, stored state and events of one and the same commit. */
export function loadRun(connection: Connection, { runId, atSeq, isLarge }: LoadRequest): LoadedRun | null {
  const untilSeq = atSeq ?? Number.MAX_SAFE_INTEGER;
  return connection.snapshot(() => {
    const row = readRow(connection, runId);
    if (row === null) return null;
    let chars = 0;
    const willParse = (text: string): void => {
      chars += text.length;
      if (chars > LARGE_CHARS) isLarge(row);
    };
    const storedState = readState(connection, { runId, untilSeq, willParse });
    const afterSeq = storedState?.seq ?? 0;
    const events = readEvents(connection, { runId, afterSeq, limit: untilSeq - afterSeq, willParse });
    return { row, storedState, events, chars };
  });
}

interface EventsRequest {
  readonly runId: string;
  readonly afterSeq: number;
  readonly limit: number;
  readonly willParse?: (text: string) => void;
}

export function readEvents(
  connection: Connection,
  { runId, afterSeq, limit, willParse }: EventsRequest,
): readonly StoredEvent[] {
  const found: StoredEvent[] = [];
  if (limit <= 0) return found;
  for (const columns of connection.statement(READ_LOG).iterate(runId, afterSeq)) {
    const text = textOf(columns, 'events');
    willParse?.(text);
    const events: readonly StoredEvent[] = JSON.parse(text);
    for (const event of events) {
      if (event.seq <= afterSeq) continue;
      found.push(event);
      if (found.length === limit) return found;
    }
  }
  return found;
}
