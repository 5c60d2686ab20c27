import type { StoredEvent, StoredState } from '../../../engine/ports/store/append.js';
import type { LoadedRun, RunLog } from '../../../engine/ports/store/run-log.js';
import type { RunRow } from '../../../engine/ports/store/run-row.js';
import { numberOf, numberOrNull, prefixed, ROW_COLUMNS, rowOf, textOrNull } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { isRunId } from '../lists/run-ids.js';
import { parseJson } from '../log/json-in-slices.js';
import {
  addEvents,
  appendColumns,
  appendsOf,
  isOnPage,
  MAX_INLINE_BYTES,
  PAGE_BYTES,
  PAGE_ROWS,
  pageOfLog,
  type AppendOnPage,
} from '../log/log-pages.js';
import { readStateText } from './states.js';

export type LoadRequest = Parameters<RunLog['load']>[0];
export type ReadRowRequest = Parameters<RunLog['readRow']>[0];

const READ_ROW = `SELECT ${ROW_COLUMNS} FROM @.runs WHERE run_id = $1::uuid`;

/**
 * The row, the newest stored state up to the seq, and the first events after it, in one statement: all of one instant, with one
 * message each way. The row comes with each append of the page, the state's text only with the first.
 */
const LOAD = `
  WITH run AS MATERIALIZED (
    ${READ_ROW}
  ), state AS MATERIALIZED (
    SELECT s.seq, s.state_version, octet_length(s.state) AS bytes, s.state FROM @.states AS s
    WHERE s.run_id = $1::uuid AND s.seq <= least($2::bigint, (SELECT run.last_seq FROM run))
    ORDER BY s.seq DESC LIMIT 1
  ), page AS MATERIALIZED (${pageOfLog(
    {
      runId: '$1::uuid',
      afterSeq: 'coalesce((SELECT state.seq FROM state), 0)',
      untilSeq: 'least($2::bigint, (SELECT run.last_seq FROM run))',
    },
    `${PAGE_ROWS}`,
  )}
  )
  SELECT ${prefixed('run')}, state.seq AS state_seq, state.state_version,
    CASE WHEN state.bytes <= ${MAX_INLINE_BYTES} AND coalesce(page.bytes_before, 0) = 0 THEN state.state END AS state,
    ${appendColumns('page')}
  FROM run LEFT JOIN state ON true LEFT JOIN page ON ${isOnPage('page', `${PAGE_BYTES}`)}
  ORDER BY page.append_seq`;

/** Told before what is long of a run is fetched and parsed, with its last seq, and with null when that is done. */
export type MarkLoad = (runId: string, lastSeq: number | null) => void | Promise<void>;

/** A stored state before it is parsed; `text` is null where it is long, and has to be fetched. */
interface StateText {
  readonly seq: number;
  readonly stateVersion: number;
  readonly text: string | null;
}

export async function readRow(query: Query, { runId }: ReadRowRequest): Promise<RunRow | null> {
  if (!isRunId(runId)) return null;
  const [columns] = await query(READ_ROW, [runId]);
  return columns === undefined ? null : rowOf(columns);
}

/** A long log is loaded in part: about a page of it, and at least its first event. */
export async function load(
  query: Query,
  { runId, atSeq }: LoadRequest,
  markLoad: MarkLoad,
): Promise<LoadedRun | null> {
  if (!isRunId(runId)) return null;
  const untilSeq = atSeq ?? Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = await query(LOAD, [runId, untilSeq]);
    const [first] = rows;
    if (first === undefined) return null;
    const row = rowOf(first);
    const stateSeq = numberOrNull(first, 'state_seq');
    const state =
      stateSeq === null
        ? null
        : { seq: stateSeq, stateVersion: numberOf(first, 'state_version'), text: textOrNull(first, 'state') };
    const appends = loadedOf(appendsOf(rows));
    const isLong = state?.text === null || appends[0]?.text === null;
    if (isLong) await markLoad(runId, row.lastSeq);
    try {
      const storedState = state === null ? null : await parsed(query, runId, state);
      if (storedState === 'gone') continue;
      const events: StoredEvent[] = [];
      const range = { runId, afterSeq: state?.seq ?? 0, untilSeq: Math.min(untilSeq, row.lastSeq) };
      // An append that is gone was purged with its run: the next look does not find it.
      if (!(await addEvents(query, range, appends, events))) continue;
      return { row, storedState, events };
    } finally {
      if (isLong) void markLoad(runId, null);
    }
  }
}

/** Those before the first that has to be fetched, or that one where it is the first. Others are read while the run is folded. */
function loadedOf(appends: readonly AppendOnPage[]): readonly AppendOnPage[] {
  const long = appends.findIndex(({ text }) => text === null);
  return long === -1 ? appends : appends.slice(0, Math.max(1, long));
}

async function parsed(
  query: Query,
  runId: string,
  { seq, stateVersion, text: inline }: StateText,
): Promise<StoredState | 'gone'> {
  const text = inline ?? (await readStateText(query, runId, seq));
  return text === null ? 'gone' : { seq, stateVersion, state: await parseJson(text) };
}
