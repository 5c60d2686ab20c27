import type { CommitLog } from '../../../engine/ports/store/commit-log.js';
import { numberOf } from '../database/columns.js';
import type { Query } from '../database/database.js';

export type DropTombstonesRequest = Parameters<CommitLog['dropTombstones']>[0];

/** Some ten milliseconds: a transaction that is open for longer would hold up every follower. */
const BATCH = 5_000;

/** Counts what it deletes. */
const DROP = `
  WITH dropped AS (
    DELETE FROM @.tombstones WHERE position IN (
      SELECT t.position FROM @.tombstones AS t WHERE t.position <= $1::bigint ORDER BY t.position LIMIT ${BATCH}
    ) RETURNING 1
  )
  SELECT count(*) AS dropped FROM dropped`;

export async function dropTombstones(
  query: Query,
  { throughPosition }: DropTombstonesRequest,
): Promise<void> {
  for (let dropped = BATCH; dropped >= BATCH;) {
    const [columns = {}] = await query(DROP, [throughPosition]);
    dropped = numberOf(columns, 'dropped');
  }
}
