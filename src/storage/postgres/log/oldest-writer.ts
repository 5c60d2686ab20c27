import { numberOrNull, textOf } from '../database/columns.js';
import type { Query } from '../database/database.js';

/**
 * The transaction below which all have ended, and whose it is, by the lock that each one holds on its own id: every role may see
 * those, also of other databases, and of transactions that are prepared. No row: nobody writes.
 */
const READ = `
  SELECT pg_catalog.pg_snapshot_xmin(snapshot.taken)::text AS transaction, held.pid
  FROM (SELECT pg_catalog.pg_current_snapshot() AS taken) AS snapshot
  JOIN pg_catalog.pg_locks AS held
    ON held.locktype = 'transactionid' AND held.mode = 'ExclusiveLock' AND held.granted
    AND held.transactionid = pg_catalog.pg_snapshot_xmin(snapshot.taken)::xid
  LIMIT 1`;

/** The oldest transaction of the server that has written something and is not over: followers read what is older alone. */
export interface OldestWriter {
  readonly transaction: string;
  /** Null: it is prepared for a commit in two phases, and of no process. */
  readonly pid: number | null;
}

/** Null: nobody writes. */
export async function readOldestWriter(query: Query): Promise<OldestWriter | null> {
  const [row] = await query(READ);
  if (row === undefined) return null;
  const pid = numberOrNull(row, 'pid');
  return { transaction: textOf(row, 'transaction'), pid };
}
