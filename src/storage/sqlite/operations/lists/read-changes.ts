import type { CommitLog } from '../../../../engine/ports/store/commit-log.js';
import { numberOf, textOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';

export type ReadChangesRequest = Parameters<CommitLog['readChanges']>[0];
export type Changes = Awaited<ReturnType<CommitLog['readChanges']>>;

/**
 * Reads only columns before the events in their rows, so that their text, however long, is not touched. A tombstone's seq is
 * 0.
 */
const READ = `
  SELECT position, run_id, last_seq FROM log WHERE position > ? ORDER BY position LIMIT ?`;

export function readChanges(connection: Connection, { afterPosition, limit }: ReadChangesRequest): Changes {
  return connection
    .statement(READ)
    .all(afterPosition, limit)
    .map((columns) => ({
      position: numberOf(columns, 'position'),
      runId: textOf(columns, 'run_id'),
      isPurged: numberOf(columns, 'last_seq') === 0,
    }));
}
