import type { CommitLog } from '../../../engine/ports/store/commit-log.js';
import { numberOf, numberOrNull } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { isStored } from '../database/look-up.js';
import { visibleBelow } from './positions.js';

export type CountAfterRequest = Parameters<CommitLog['countAfter']>[0];

/** Nearly all who ask are close to the end: so many rows are looked up. Of more, those of purged runs are counted, too. */
const LOOKED_UP = 1_000;

/** `$1` the base, `$2` the position, `$3` how many. `ends_at`: null, where the log ends before. */
const COUNT = `
  WITH part AS MATERIALIZED (
    SELECT l.position, l.run_id FROM @.log AS l
    WHERE l.position > $2::bigint AND l.position < ${visibleBelow('$1')}
    ORDER BY l.position LIMIT $3::bigint
  ), edge AS MATERIALIZED (
    SELECT CASE WHEN count(*) = $3::bigint THEN max(part.position) END AS ends_at FROM part
  )
  SELECT edge.ends_at,
    (SELECT count(*) FROM part WHERE ${isStored('part.run_id')}) AS appended,
    (SELECT count(*) FROM (
      SELECT 1 FROM @.tombstones AS t
      WHERE t.position > $2::bigint AND t.position < ${visibleBelow('$1')}
        AND t.position <= coalesce(edge.ends_at, t.position) LIMIT $4::bigint
    ) AS counted) AS purged
  FROM edge`;

/** The rows after a position, and nothing of them but that they are there. */
const COUNT_ALL = `
  SELECT
    (SELECT count(*) FROM (
      SELECT 1 FROM @.log AS l WHERE l.position > $2::bigint AND l.position < ${visibleBelow('$1')} LIMIT $3::bigint
    ) AS counted)
    + (SELECT count(*) FROM (
      SELECT 1 FROM @.tombstones AS t
      WHERE t.position > $2::bigint AND t.position < ${visibleBelow('$1')} LIMIT $3::bigint
    ) AS counted) AS count`;

export async function countAfter(
  { query, base }: Database,
  { position, atMost }: CountAfterRequest,
): Promise<number> {
  const [part = {}] = await query(COUNT, [base, position, LOOKED_UP, atMost]);
  const known = numberOf(part, 'appended') + numberOf(part, 'purged');
  const endsAt = numberOrNull(part, 'ends_at');
  if (endsAt === null || known >= atMost) return Math.min(known, atMost);
  const [rest = {}] = await query(COUNT_ALL, [base, endsAt, atMost - known]);
  return Math.min(known + numberOf(rest, 'count'), atMost);
}
