import type { CommitLog, FamilyEntry } from '../../../engine/ports/store/commit-log.js';
import { numberOf, textOf } from '../database/columns.js';
import type { Database, Query } from '../database/database.js';
import { heldBackIn, readPatiently, visibleBelow } from './positions.js';

export type ReadFamilyLogRequest = Parameters<CommitLog['readFamilyLog']>[0];
export type DropFamilyLogRequest = Parameters<CommitLog['dropFamilyLog']>[0];

/** One row without an entry where there is none: it says whether some are held back. */
const READ = `
  WITH page AS MATERIALIZED (
    SELECT f.position, f.run_id FROM @.family_log AS f
    WHERE f.position > $2::bigint AND f.position < ${visibleBelow('$1')}
    ORDER BY f.position LIMIT $3::bigint
  )
  SELECT page.position, page.run_id, page.position IS NULL AND ${heldBackIn('family_log', '$1')} AS is_held_back
  FROM (SELECT 1 AS one) AS always LEFT JOIN page ON true ORDER BY page.position`;

const DROP = 'DELETE FROM @.family_log WHERE position <= $1::bigint';

export async function readFamilyLog(
  database: Database,
  { afterPosition, limit }: ReadFamilyLogRequest,
): Promise<readonly FamilyEntry[]> {
  const { rows } = await readPatiently(async () => {
    const found = await database.query(READ, [database.base, afterPosition, limit]);
    return { rows: found, isHeldBack: found[0]?.['is_held_back'] === true };
  });
  return rows
    .filter((columns) => columns['position'] !== null)
    .map((columns) => ({ position: numberOf(columns, 'position'), runId: textOf(columns, 'run_id') }));
}

export async function dropFamilyLog(query: Query, { throughPosition }: DropFamilyLogRequest): Promise<void> {
  await query(DROP, [throughPosition]);
}
