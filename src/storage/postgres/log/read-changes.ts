import type { CommitLog } from '../../../engine/ports/store/commit-log.js';
import { numberOf, numberOrNull, textOf } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { isStored } from '../database/look-up.js';
import { heldBackIn, readPatiently, visibleBelow } from './positions.js';

export type ReadChangesRequest = Parameters<CommitLog['readChanges']>[0];
export type Changes = Awaited<ReturnType<CommitLog['readChanges']>>;

/** Where all that comes next is of purged runs, so many rows are passed by one statement: some 20 ms. */
const PASSED_AT_ONCE = 20_000;

/**
 * A part of the log, without events: the next rows after a position, those among them whose run is stored, and the tombstones up
 * to the last of them (where the log ends before, all tombstones). What is of a run that was purged is nobody's and not shown.
 * `$1` the base, `$2` the position, `$3` how many rows, `$4` how many entries. There is one row at least: it says where the part
 * ends, null: where the log does, and then whether there is more that is held back.
 */
const READ = `
  WITH part AS MATERIALIZED (
    SELECT l.position, l.run_id FROM @.log AS l
    WHERE l.position > $2::bigint AND l.position < ${visibleBelow('$1')}
    ORDER BY l.position LIMIT $3::bigint
  ), edge AS MATERIALIZED (
    SELECT CASE WHEN count(*) = $3::bigint THEN max(part.position) END AS ends_at FROM part
  ), page AS MATERIALIZED (
    SELECT part.position, part.run_id, false AS is_purged FROM part
    WHERE ${isStored('part.run_id')}
    UNION ALL (
      SELECT t.position, t.run_id, true FROM @.tombstones AS t
      WHERE t.position > $2::bigint AND t.position < ${visibleBelow('$1')}
        AND t.position <= coalesce((SELECT edge.ends_at FROM edge), t.position)
      ORDER BY t.position LIMIT $4::bigint
    )
    ORDER BY position LIMIT $4::bigint
  )
  SELECT edge.ends_at, page.position, page.run_id, page.is_purged,
    CASE WHEN page.position IS NULL AND edge.ends_at IS NULL
      THEN ${heldBackIn('log', '$1')} OR ${heldBackIn('tombstones', '$1')} ELSE false END AS is_held_back
  FROM edge LEFT JOIN page ON true ORDER BY page.position`;

interface Part {
  readonly changes: Changes;
  /** The position up to which it was looked at; null: to the end. */
  readonly endsAt: number | null;
  readonly isHeldBack: boolean;
}

export async function readChanges(
  database: Database,
  { afterPosition, limit }: ReadChangesRequest,
): Promise<Changes> {
  const first = await readPatiently(() => readPart(database, afterPosition, limit, limit));
  if (first.changes.length > 0 || first.endsAt === null) return first.changes;
  return nextChanges(database, first.endsAt, limit);
}

/** As `readChanges`, where nobody's rows come next, maybe many of them. */
export async function nextChanges(
  database: Database,
  afterPosition: number,
  limit: number,
): Promise<Changes> {
  for (let after = afterPosition; ;) {
    const { changes, endsAt } = await readPart(database, after, PASSED_AT_ONCE, limit);
    if (changes.length > 0 || endsAt === null) return changes;
    after = endsAt;
  }
}

async function readPart(
  database: Database,
  afterPosition: number,
  rows: number,
  limit: number,
): Promise<Part> {
  const found = await database.query(READ, [database.base, afterPosition, rows, limit]);
  const [first = {}] = found;
  return {
    changes: found
      .filter((columns) => columns['position'] !== null)
      .map((columns) => ({
        position: numberOf(columns, 'position'),
        runId: textOf(columns, 'run_id'),
        isPurged: columns['is_purged'] === true,
      })),
    endsAt: numberOrNull(first, 'ends_at'),
    isHeldBack: first['is_held_back'] === true,
  };
}
