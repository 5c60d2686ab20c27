import type { LoadedRun, RunRow, StoredEvent } from '../../../engine/ports/run-store.js';
import { ROW_COLUMNS, rowOf, textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import { readState } from './states.js';

const READ_ROW = `SELECT ${ROW_COLUMNS} FROM runs WHERE run_id = ?`;

/** Events are parsed on the main thread: more of them take turns with everybody else. */
const MAX_PAGE_CHARS = 1024 * 1024;

/** An append whose last event comes after the seq may begin before it. */
const READ_LOG = 'SELECT events FROM log WHERE run_id = ? AND last_seq > ? ORDER BY last_seq';

export function readRow(connection: Connection, runId: string): RunRow | null {
  const columns = connection.statement(READ_ROW).get(runId);
  return columns === undefined ? null : rowOf(columns);
}

/** Row, stored state and events of one and the same commit. */
export function loadRun(connection: Connection, runId: string, atSeq: number | null): LoadedRun | null {
  const untilSeq = atSeq ?? Number.MAX_SAFE_INTEGER;
  return connection.snapshot(() => {
    const row = readRow(connection, runId);
    if (row === null) return null;
    const storedState = readState(connection, runId, untilSeq);
    const afterSeq = storedState?.seq ?? 0;
    return {
      row,
      storedState,
      events: readEvents(connection, { runId, afterSeq, limit: untilSeq - afterSeq }),
    };
  });
}

export function readEvents(
  connection: Connection,
  { runId, afterSeq, limit }: { readonly runId: string; readonly afterSeq: number; readonly limit: number },
): readonly StoredEvent[] {
  const found: StoredEvent[] = [];
  if (limit <= 0) return found;
  let chars = 0;
  for (const columns of connection.statement(READ_LOG).iterate(runId, afterSeq)) {
    const text = textOf(columns, 'events');
    const events: readonly StoredEvent[] = JSON.parse(text);
    for (const event of events) {
      if (event.seq <= afterSeq) continue;
      found.push(event);
      if (found.length === limit) return found;
    }
    chars += text.length;
    if (chars >= MAX_PAGE_CHARS) return found;
  }
  return found;
}
