import type { StoredEvent } from '../../../engine/ports/store/append.js';
import type { RunLog } from '../../../engine/ports/store/run-log.js';
import { numberOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { isRunId } from '../lists/run-ids.js';
import {
  addEvents,
  appendColumns,
  appendsOf,
  isOnPage,
  PAGE_BYTES,
  PAGE_ROWS,
  pageOfLog,
} from '../log/log-pages.js';

export type ReadEventsRequest = Parameters<RunLog['readEvents']>[0];

/** One page, of a run that is stored: what the log has of others is nobody's. */
const READ_PAGE = `
  WITH page AS MATERIALIZED (${pageOfLog(
    { runId: '$1::uuid', afterSeq: '$2::bigint', untilSeq: '$3::bigint' },
    '$4::bigint',
  )}
  )
  SELECT r.last_seq AS run_seq, ${appendColumns('page')}
  FROM @.runs AS r LEFT JOIN page ON ${isOnPage('page', '$5::bigint')}
  WHERE r.run_id = $1::uuid ORDER BY page.append_seq`;

/** Ends early once it has about `maxChars`, but not before it has an event. */
export async function readEvents(
  query: Query,
  { runId, afterSeq, limit, maxChars = Infinity }: ReadEventsRequest,
): Promise<readonly StoredEvent[]> {
  if (!isRunId(runId)) return [];
  const events: StoredEvent[] = [];
  // Seqs follow one another without gaps.
  const untilSeq = Math.min(afterSeq + limit, Number.MAX_SAFE_INTEGER);
  let bytes = 0;
  for (let seq = afterSeq, isFirst = true; seq < untilSeq && (isFirst || bytes < maxChars); isFirst = false) {
    const most = Math.max(0, Math.min(PAGE_BYTES, maxChars - bytes));
    const rows = await query(READ_PAGE, [runId, seq, untilSeq, Math.min(limit, PAGE_ROWS), Math.floor(most)]);
    const [first] = rows;
    const appends = appendsOf(rows);
    const last = appends.at(-1);
    if (first === undefined || last === undefined) break;
    const isThere = await addEvents(query, { runId, afterSeq: seq, untilSeq }, appends, events);
    // A run that is purged while it is read does not exist.
    if (!isThere) return [];
    for (const append of appends) bytes += append.bytes;
    seq = last.lastSeq;
    if (seq >= numberOf(first, 'run_seq')) break;
  }
  return events;
}
