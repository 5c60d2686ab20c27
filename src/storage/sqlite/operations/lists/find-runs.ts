import type { RunFilter } from '../../../../engine/ports/run-filter.js';
import type { ListedRun, RunPlace, RunRow, RunStore } from '../../../../engine/ports/run-store.js';
import { numberOf, ROW_COLUMNS, rowOf, textOf, type Columns } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { listedRun } from './listed-run.js';
import { CONDITIONS, conditionValues } from './run-conditions.js';
import { candidatesFor, type Candidate, type Driver } from './run-drivers.js';

export type FindRunsRequest = Parameters<RunStore['findRuns']>[0];
export type FoundRuns = Awaited<ReturnType<RunStore['findRuns']>>;

/** A page looks at no more rows, and ends earlier when looking takes long: then with what it found, and more to come. */
const MAX_EXAMINED = 10_000;
const LONG_MS = 5;
/** So many rows are looked at between two looks at the clock. */
const CHUNK = 500;
/** How sparse an index is shows where its entry of this number stands. */
const SAMPLE = 300;

const NEWEST = 'ORDER BY d.created_at DESC, d.run_id DESC';
const COLUMNS_OF_RUN = ROW_COLUMNS.split(', ')
  .map((column) => `r.${column}`)
  .join(', ');

/** Behind the first place, down to the second. */
const BETWEEN = '(d.created_at, d.run_id) < (?2, ?3) AND (d.created_at, d.run_id) >= (?4, ?5)';

/** The driver's own values are `?23` and `?24` where the runs are read; here nothing stands before them. */
const placeSql = ({ from, where }: Driver): string =>
  `SELECT d.created_at, d.run_id FROM ${from} WHERE ${where} AND ${BETWEEN} ${NEWEST} LIMIT 1 OFFSET ?6`
    .replaceAll('?23', '?7')
    .replaceAll('?24', '?8');

const runsSql = ({ from, where }: Driver): string => `
  SELECT ${COLUMNS_OF_RUN} FROM ${from} CROSS JOIN runs AS r ON r.run_id = d.run_id
  WHERE ${where} AND ${BETWEEN} AND ${CONDITIONS} ${NEWEST} LIMIT ?6`;

/** What of an index was looked at: the runs that were found, and how far down; null: all of it. */
interface Stretch {
  readonly rows: readonly RunRow[];
  readonly reach: RunPlace | null;
}

interface Search {
  readonly connection: Connection;
  readonly namespace: string;
  readonly filter: RunFilter;
  /** Inclusive. */
  readonly lowest: RunPlace;
}

/**
 * Follows the index that is sparsest from here on, and looks the rest of the filter up. The order is the same for every
 * index, so that each page of a walk may take another.
 */
export function findRuns(connection: Connection, request: FindRunsRequest): FoundRuns {
  return connection.snapshot(() => {
    const { namespace, filter, limit } = request;
    const lowest = { createdAt: filter.createdFrom ?? Number.MIN_SAFE_INTEGER, runId: '' };
    const search = { connection, namespace, filter, lowest };
    const from = startOf(request);
    const candidate = sparsestOf(search, from, candidatesFor(connection, namespace, filter));
    const stretches = candidate.map((driver) => stretchOf(search, driver, from, limit, candidate.length));
    const { rows, next } = merged(stretches, limit);
    return { runs: rows.map((row): ListedRun => listedRun(connection, row)), next };
  });
}

/** Where the page begins, exclusive. */
function startOf({ before, filter: { createdBefore } }: FindRunsRequest): RunPlace {
  const bound = createdBefore === null ? null : { createdAt: createdBefore, runId: '' };
  if (before === null || (bound !== null && isNewer(before, bound))) {
    return bound ?? { createdAt: Number.MAX_SAFE_INTEGER, runId: '' };
  }
  return before;
}

function sparsestOf(search: Search, from: RunPlace, candidates: readonly Candidate[]): Candidate {
  let [sparsest = []] = candidates;
  if (candidates.length === 1) return sparsest;
  let oldest = Infinity;
  for (const candidate of candidates) {
    const places = candidate.map((driver) => placeAfter(search, driver, from, SAMPLE));
    const reached = Math.max(...places.map((place) => place?.createdAt ?? -Infinity));
    if (reached < oldest) [sparsest, oldest] = [candidate, reached];
    if (reached === -Infinity) break;
  }
  return sparsest;
}

/** `share`: with how many others it has what a page may cost. */
function stretchOf(search: Search, driver: Driver, from: RunPlace, limit: number, share: number): Stretch {
  const { connection, namespace, filter, lowest } = search;
  const conditions = conditionValues(filter, driver);
  const isWhole = conditions.every((value) => value === null);
  const most = Math.floor(MAX_EXAMINED / share);
  // One more than is asked for shows whether there is more.
  const wanted = limit + 1;
  const end = performance.now() + LONG_MS / share;
  const rows: RunRow[] = [];
  let place = from;
  for (let examined = 0; examined < most && (examined === 0 || performance.now() < end); examined += CHUNK) {
    const chunk = Math.min(CHUNK, most - examined);
    const reach = isWhole ? null : placeAfter(search, driver, place, chunk - 1);
    const until = reach ?? lowest;
    const between = [place.createdAt, place.runId, until.createdAt, until.runId] as const;
    const room = wanted - rows.length;
    const found = connection
      .statement(runsSql(driver))
      .all(namespace, ...between, room, ...conditions, ...driver.values);
    for (const columns of found) {
      // A run with several gates of one unit has several entries, one behind the other.
      if (rows.at(-1)?.runId !== columns['run_id']) rows.push(rowOf(columns));
    }
    if (rows.length >= wanted) break;
    if (found.length >= room) place = placeOf(rows.at(-1)) ?? place;
    else if (reach === null) return { rows, reach: null };
    else place = reach;
  }
  return { rows, reach: rows.length >= wanted ? placeOf(rows.at(-1)) : place };
}

/** Newest first, no further down than all of them were looked at. */
function merged(
  stretches: readonly Stretch[],
  limit: number,
): { readonly rows: readonly RunRow[]; readonly next: RunPlace | null } {
  let reach: RunPlace | null = null;
  for (const stretch of stretches) {
    if (stretch.reach !== null && (reach === null || isNewer(stretch.reach, reach))) reach = stretch.reach;
  }
  const floor = reach;
  const rows = stretches
    .flatMap((stretch) => stretch.rows)
    .filter((row) => floor === null || !isNewer(floor, row))
    .sort((a, b) => (isNewer(a, b) ? -1 : 1));
  if (rows.length <= limit) return { rows, next: reach };
  const shown = rows.slice(0, limit);
  return { rows: shown, next: placeOf(shown.at(-1)) };
}

function placeAfter(search: Search, driver: Driver, from: RunPlace, offset: number): RunPlace | null {
  const { connection, namespace, lowest } = search;
  const between = [from.createdAt, from.runId, lowest.createdAt, lowest.runId] as const;
  const columns = connection.statement(placeSql(driver)).get(namespace, ...between, offset, ...driver.values);
  return columns === undefined ? null : placeIn(columns);
}

function placeIn(columns: Columns): RunPlace {
  return { createdAt: numberOf(columns, 'created_at'), runId: textOf(columns, 'run_id') };
}

function placeOf(row: RunRow | undefined): RunPlace | null {
  return row === undefined ? null : { createdAt: row.createdAt, runId: row.runId };
}

function isNewer(a: RunPlace, b: RunPlace): boolean {
  return a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.runId > b.runId);
}
