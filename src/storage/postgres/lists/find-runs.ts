import type { RunFilter } from '../../../engine/ports/store/run-filter.js';
import type { RunCursor, RunIndex } from '../../../engine/ports/store/run-index.js';
import type { ListedRun } from '../../../engine/ports/store/run-row.js';
import { numberOf, prefixed, ROW_COLUMNS, textOf } from '../database/columns.js';
import type { Columns, Database, Query } from '../database/database.js';
import { listedColumns, listedOf } from './listed-run.js';
import { CONDITION_VALUES, conditionsSql, conditionValues, isAnswered } from './run-conditions.js';
import { idsThatBeginWith, isRunId, LEAST_ID, leastIdFrom } from './run-ids.js';
import { candidatesFor, type Candidate, type Walk } from './run-walks.js';

export type FindRunsRequest = Parameters<RunIndex['findRuns']>[0];
export type FoundRuns = Awaited<ReturnType<RunIndex['findRuns']>>;

/**
 * A page looks at no more entries, and ends earlier when that takes long: it then has what was found, and a cursor for more. With
 * what is under way when it looks at the clock it takes 20 ms.
 */
const MAX_EXAMINED = 10_000;
const LONG_MS = 15;
/** Entries that are looked at by one statement. */
const CHUNK = 500;
/** The same where a walk reads many times as many. */
const MIN_CHUNK = 50;
/** The position of the entry of this number shows how sparse an index is. */
const SAMPLE = 300;

const NOTHING: FoundRuns = { runs: [], next: null };

/** How many entries there are, to that number, and how far down the last of them is. */
const sampleSql = ({ entries }: Walk): string => `
  SELECT count(*) AS entries, min(walked.created_at) AS reached_at FROM (${entries}
  ) AS walked`;

/**
 * The next entries of a walk, and which of their runs pass the rest of the filter. PostgreSQL has no choice but to read the
 * entries first, then labels and gates that are filtered by, then the rows by their ids. The first columns say how many entries
 * there were and where the last one is, in every row; no row: there was none. `$1` to `$3` as in a walk, then the values of the walk,
 * those of the conditions, the lower end, and how many runs are wanted.
 */
function chunkSql({ entries, values }: Walk): string {
  const conditions = 4 + values.length;
  const lowest = conditions + CONDITION_VALUES;
  return `
  WITH walked AS MATERIALIZED (${entries}
  ), reached AS MATERIALIZED (
    SELECT count(*) OVER () AS entries, created_at AS reached_at, run_id AS reached_id
    FROM walked ORDER BY created_at, run_id LIMIT 1
  ), found AS MATERIALIZED (
    SELECT ${prefixed('r')}, r.gates FROM (SELECT DISTINCT created_at, run_id FROM walked) AS d
    CROSS JOIN LATERAL (
      SELECT ${ROW_COLUMNS}, gates FROM @.runs AS one WHERE one.run_id = d.run_id OFFSET 0
    ) AS r
    WHERE d.created_at >= $${lowest}::bigint AND ${conditionsSql(conditions)}
    ORDER BY r.created_at DESC, r.run_id DESC LIMIT $${lowest + 1}::integer
  )
  SELECT reached.entries, reached.reached_at, reached.reached_id, ${listedColumns('found')}
  FROM reached LEFT JOIN found ON true ORDER BY found.created_at DESC, found.run_id DESC`;
}

/** The part of an index that was looked at: the runs that were found, and how far down it reaches; null: to the end. */
interface ScannedRange {
  readonly found: readonly ListedRun[];
  readonly reach: RunCursor | null;
}

interface Search {
  readonly query: Query;
  readonly namespace: string;
  readonly filter: RunFilter;
  /** Epoch ms, inclusive: nothing older is wanted. */
  readonly lowest: number;
}

/**
 * Follows the index that is sparsest from the cursor on, and looks the rest of the filter up. The order is the same for
 * every index, so that each page of a search may take another.
 */
export async function findRuns(database: Database, request: FindRunsRequest): Promise<FoundRuns> {
  const { namespace, filter, limit } = request;
  if (findsNothing(filter)) return NOTHING;
  const from = startOf(request);
  const lowest = filter.createdFrom ?? Number.MIN_SAFE_INTEGER;
  const query: Query = (sql, values) => database.query(sql, values);
  const candidates = await candidatesFor(query, namespace, filter);
  const candidate = await sparsestOf({ query, namespace, filter, lowest }, from, candidates);
  const scan = async (within: Query): Promise<readonly ScannedRange[]> => {
    const search = { query: within, namespace, filter, lowest };
    const ranges: ScannedRange[] = [];
    for (const walk of candidate) ranges.push(await scanRange(search, walk, from, limit, candidate.length));
    return ranges;
  };
  // A run that changes from one status to another is seen in one of both.
  return merged(candidate.length === 1 ? await scan(query) : await database.snapshot(scan), limit);
}

/** No run has an id like that. */
function findsNothing({ forkedFrom, parentRunId, idPrefix }: RunFilter): boolean {
  return (
    (forkedFrom !== null && !isRunId(forkedFrom)) ||
    (parentRunId !== null && !isRunId(parentRunId)) ||
    (idPrefix !== null && idsThatBeginWith(idPrefix) === null)
  );
}

/** Where the page begins, exclusive. */
function startOf({ before, filter: { createdBefore } }: FindRunsRequest): RunCursor {
  const bound = createdBefore === null ? null : { createdAt: createdBefore, runId: LEAST_ID };
  const cursor = before === null ? null : amongIds(before);
  if (cursor === null || (bound !== null && isNewer(cursor, bound))) {
    return bound ?? { createdAt: Number.MAX_SAFE_INTEGER, runId: LEAST_ID };
  }
  return cursor;
}

/** A cursor is what a client sends: one of no run lies between two of them. */
function amongIds({ createdAt, runId }: RunCursor): RunCursor {
  const least = leastIdFrom(runId);
  return least === null ? { createdAt: createdAt + 1, runId: LEAST_ID } : { createdAt, runId: least };
}

async function sparsestOf(
  search: Search,
  from: RunCursor,
  candidates: readonly Candidate[],
): Promise<Candidate> {
  let [sparsest = []] = candidates;
  if (candidates.length === 1) return sparsest;
  let oldest = Infinity;
  for (const candidate of candidates) {
    let reached = -Infinity;
    for (const walk of candidate) reached = Math.max(reached, await sampledReach(search, walk, from));
    if (reached < oldest) [sparsest, oldest] = [candidate, reached];
    if (reached === -Infinity) break;
  }
  return sparsest;
}

/** When the run of the sampled entry was made; infinitely long ago where the walk ends before it. */
async function sampledReach({ query, lowest }: Search, walk: Walk, from: RunCursor): Promise<number> {
  const values = [from.createdAt, from.runId, SAMPLE, ...walk.values];
  const [columns = {}] = await query(sampleSql(walk), values);
  if (numberOf(columns, 'entries') < SAMPLE) return -Infinity;
  const reachedAt = numberOf(columns, 'reached_at');
  return reachedAt < lowest ? -Infinity : reachedAt;
}

/** `share`: how many walks share what a page may cost. */
async function scanRange(
  search: Search,
  walk: Walk,
  from: RunCursor,
  limit: number,
  share: number,
): Promise<ScannedRange> {
  const { query, namespace, filter, lowest } = search;
  const conditions = conditionValues(namespace, filter, walk);
  const isWhole = isAnswered(conditions);
  const sql = chunkSql(walk);
  const { width = 1 } = walk;
  const most = Math.floor(MAX_EXAMINED / share);
  const end = performance.now() + LONG_MS / share;
  const found: ListedRun[] = [];
  let cursor = from;
  for (let examined = 0; examined < most && (examined === 0 || performance.now() < end);) {
    // One more than requested shows whether there are others.
    const wanted = limit + 1 - found.length;
    const chunk = Math.min(
      isWhole ? wanted : Math.max(MIN_CHUNK, Math.floor(CHUNK / width)),
      most - examined,
    );
    const at = [cursor.createdAt, cursor.runId, chunk];
    const rows = await query(sql, [...at, ...walk.values, ...conditions, lowest, wanted]);
    found.push(...rows.filter((columns) => columns['run_id'] !== null).map(listedOf));
    if (found.length > limit) return { found, reach: cursorOf(found.at(-1)) };
    const reach = reachOf(rows[0], chunk, lowest);
    if (reach === null) return { found, reach };
    cursor = reach;
    examined += chunk;
  }
  return { found, reach: cursor };
}

/** Where the last entry of a chunk is; null: there are no others. */
function reachOf(columns: Columns | undefined, chunk: number, lowest: number): RunCursor | null {
  if (columns === undefined || numberOf(columns, 'entries') < chunk) return null;
  const createdAt = numberOf(columns, 'reached_at');
  return createdAt < lowest ? null : { createdAt, runId: textOf(columns, 'reached_id') };
}

/** Merges the ranges, newest first, down to where all of them were looked at. */
function merged(ranges: readonly ScannedRange[], limit: number): FoundRuns {
  let reach: RunCursor | null = null;
  for (const range of ranges) {
    if (range.reach !== null && (reach === null || isNewer(range.reach, reach))) reach = range.reach;
  }
  const floor = reach;
  const runs = ranges
    .flatMap((range) => range.found)
    .filter(({ row }) => floor === null || !isNewer(floor, row))
    .sort((a, b) => (isNewer(a.row, b.row) ? -1 : 1));
  if (runs.length <= limit) return { runs, next: reach };
  const shown = runs.slice(0, limit);
  return { runs: shown, next: cursorOf(shown.at(-1)) };
}

function cursorOf(listed: ListedRun | undefined): RunCursor | null {
  return listed === undefined ? null : { createdAt: listed.row.createdAt, runId: listed.row.runId };
}

function isNewer(a: RunCursor, b: RunCursor): boolean {
  return a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.runId > b.runId);
}
