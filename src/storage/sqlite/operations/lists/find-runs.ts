import type { RunFilter } from '../../../../engine/ports/store/run-filter.js';
import type { RunCursor, RunIndex } from '../../../../engine/ports/store/run-index.js';
import type { ListedRun, RunRow } from '../../../../engine/ports/store/run-row.js';
import { numberOf, ROW_COLUMNS, rowOf, textOf, type Columns } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { listedRun } from './listed-run.js';
import { CONDITIONS, conditionValues } from './run-conditions.js';
import { candidatesFor, type Candidate, type Driver } from './run-drivers.js';

export type FindRunsRequest = Parameters<RunIndex['findRuns']>[0];
export type FoundRuns = Awaited<ReturnType<RunIndex['findRuns']>>;

/**
 * A page looks at no more rows, and ends earlier when that takes long: it then has what was found, and a cursor for more.
 */
const MAX_EXAMINED = 10_000;
const LONG_MS = 5;
/** Rows that are looked at between two looks at the clock. */
const CHUNK = 500;
/** The position of the entry of this number shows how sparse an index is. */
const SAMPLE = 300;

const NEWEST = 'ORDER BY d.created_at DESC, d.run_id DESC';
const COLUMNS_OF_RUN = ROW_COLUMNS.split(', ')
  .map((column) => `r.${column}`)
  .join(', ');

/** After the first cursor, down to the second. */
const BETWEEN = '(d.created_at, d.run_id) < (?2, ?3) AND (d.created_at, d.run_id) >= (?4, ?5)';

/** The driver's own values are `?25` and `?26` where the runs are read; here nothing stands before them. */
const cursorSql = ({ from, where }: Driver): string =>
  `SELECT d.created_at, d.run_id FROM ${from} WHERE ${where} AND ${BETWEEN} ${NEWEST} LIMIT 1 OFFSET ?6`
    .replaceAll('?25', '?7')
    .replaceAll('?26', '?8');

const runsSql = ({ from, where }: Driver): string => `
  SELECT ${COLUMNS_OF_RUN} FROM ${from} CROSS JOIN runs AS r ON r.run_id = d.run_id
  WHERE ${where} AND ${BETWEEN} AND ${CONDITIONS} ${NEWEST} LIMIT ?6`;

/** The part of an index that was looked at: the runs that were found, and how far down it reaches; null: to the end. */
interface ScannedRange {
  readonly rows: readonly RunRow[];
  readonly reach: RunCursor | null;
}

interface Search {
  readonly connection: Connection;
  readonly namespace: string;
  readonly filter: RunFilter;
  /** The lower end, inclusive. */
  readonly lowest: RunCursor;
}

/**
 * Follows the index that is sparsest from the cursor on, and looks the rest of the filter up. The order is the same for
 * every index, so that each page of a walk may take another.
 */
export function findRuns(connection: Connection, request: FindRunsRequest): FoundRuns {
  return connection.snapshot(() => {
    const { namespace, filter, limit } = request;
    const lowest = { createdAt: filter.createdFrom ?? Number.MIN_SAFE_INTEGER, runId: '' };
    const search = { connection, namespace, filter, lowest };
    const from = startOf(request);
    const candidate = sparsestOf(search, from, candidatesFor(connection, namespace, filter));
    const ranges = scanned(search, candidate, from, limit);
    const { rows, next } = merged(ranges, limit);
    return { runs: rows.map((row): ListedRun => listedRun(connection, row)), next };
  });
}

/** Where the page begins, exclusive. */
function startOf({ before, filter: { createdBefore } }: FindRunsRequest): RunCursor {
  const bound = createdBefore === null ? null : { createdAt: createdBefore, runId: '' };
  if (before === null || (bound !== null && isNewer(before, bound))) {
    return bound ?? { createdAt: Number.MAX_SAFE_INTEGER, runId: '' };
  }
  return before;
}

function sparsestOf(search: Search, from: RunCursor, candidates: readonly Candidate[]): Candidate {
  let [sparsest = []] = candidates;
  if (candidates.length === 1) return sparsest;
  let oldest = Infinity;
  for (const candidate of candidates) {
    const cursors = candidate.map((driver) => cursorAfter(search, driver, from, SAMPLE));
    const reached = Math.max(...cursors.map((cursor) => cursor?.createdAt ?? -Infinity));
    if (reached < oldest) [sparsest, oldest] = [candidate, reached];
    if (reached === -Infinity) break;
  }
  return sparsest;
}

/** What is older than the runs that fill the page is not looked for in the drivers that follow. */
function scanned(
  search: Search,
  candidate: Candidate,
  from: RunCursor,
  limit: number,
): readonly ScannedRange[] {
  const ranges: ScannedRange[] = [];
  const newest: RunRow[] = [];
  let { lowest } = search;
  for (const driver of candidate) {
    const range = scanRange({ ...search, lowest }, driver, from, limit, candidate.length);
    ranges.push(range);
    if (candidate.length === 1) break;
    newest.push(...range.rows);
    newest.sort((a, b) => (isNewer(a, b) ? -1 : 1)).splice(limit + 1);
    if (newest.length > limit) lowest = cursorOf(newest.at(-1)) ?? lowest;
  }
  return ranges;
}

/** `share`: how many drivers share what a page may cost. */
function scanRange(
  search: Search,
  driver: Driver,
  from: RunCursor,
  limit: number,
  share: number,
): ScannedRange {
  const { connection, namespace, filter, lowest } = search;
  const conditions = conditionValues(filter, driver);
  const isWhole = conditions.every((value) => value === null);
  const most = Math.floor(MAX_EXAMINED / share);
  // One more than requested shows whether there are others.
  const wanted = limit + 1;
  const end = performance.now() + LONG_MS / share;
  const rows: RunRow[] = [];
  let cursor = from;
  for (let examined = 0; examined < most && (examined === 0 || performance.now() < end); examined += CHUNK) {
    const chunk = Math.min(CHUNK, most - examined);
    const reach = isWhole ? null : cursorAfter(search, driver, cursor, chunk - 1);
    const until = reach ?? lowest;
    const between = [cursor.createdAt, cursor.runId, until.createdAt, until.runId] as const;
    const remaining = wanted - rows.length;
    const found = connection
      .statement(runsSql(driver))
      .all(namespace, ...between, remaining, ...conditions, ...driver.values);
    for (const columns of found) {
      // A run with several gates of one unit has several entries, one after the other.
      if (rows.at(-1)?.runId !== columns['run_id']) rows.push(rowOf(columns));
    }
    if (rows.length >= wanted) break;
    if (found.length >= remaining) cursor = cursorOf(rows.at(-1)) ?? cursor;
    else if (reach === null) return { rows, reach: null };
    else cursor = reach;
  }
  return { rows, reach: rows.length >= wanted ? cursorOf(rows.at(-1)) : cursor };
}

/** Merges the ranges, newest first, down to where all of them were looked at. */
function merged(
  ranges: readonly ScannedRange[],
  limit: number,
): { readonly rows: readonly RunRow[]; readonly next: RunCursor | null } {
  let reach: RunCursor | null = null;
  for (const range of ranges) {
    if (range.reach !== null && (reach === null || isNewer(range.reach, reach))) reach = range.reach;
  }
  const floor = reach;
  const rows = ranges
    .flatMap((range) => range.rows)
    .filter((row) => floor === null || !isNewer(floor, row))
    .sort((a, b) => (isNewer(a, b) ? -1 : 1));
  if (rows.length <= limit) return { rows, next: reach };
  const shown = rows.slice(0, limit);
  return { rows: shown, next: cursorOf(shown.at(-1)) };
}

function cursorAfter(search: Search, driver: Driver, from: RunCursor, offset: number): RunCursor | null {
  const { connection, namespace, lowest } = search;
  const between = [from.createdAt, from.runId, lowest.createdAt, lowest.runId] as const;
  const columns = connection
    .statement(cursorSql(driver))
    .get(namespace, ...between, offset, ...driver.values);
  return columns === undefined ? null : cursorIn(columns);
}

function cursorIn(columns: Columns): RunCursor {
  return { createdAt: numberOf(columns, 'created_at'), runId: textOf(columns, 'run_id') };
}

function cursorOf(row: RunRow | undefined): RunCursor | null {
  return row === undefined ? null : { createdAt: row.createdAt, runId: row.runId };
}

function isNewer(a: RunCursor, b: RunCursor): boolean {
  return a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.runId > b.runId);
}
