import type { FamilyEntry } from '../../../../engine/ports/store/commit-log.js';
import { numberOf, textOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { DROP_FAMILY_LOG, type Operation, type OperationReader } from '../operation.js';

const INSERT = 'INSERT INTO family_log (position, run_id) VALUES (?, ?)';
const READ = 'SELECT position, run_id FROM family_log WHERE position > ? ORDER BY position LIMIT ?';
const DROP = 'DELETE FROM family_log WHERE position <= ?';

export function insertFamilyEntry(connection: Connection, position: number | bigint, runId: string): void {
  connection.statement(INSERT).run(position, runId);
}

export function readFamilyLog(
  connection: Connection,
  { afterPosition, limit }: { readonly afterPosition: number; readonly limit: number },
): readonly FamilyEntry[] {
  return connection
    .statement(READ)
    .all(afterPosition, limit)
    .map((columns) => ({ position: numberOf(columns, 'position'), runId: textOf(columns, 'run_id') }));
}

export function dropFamilyLogOperation(throughPosition: number): Operation {
  return [DROP_FAMILY_LOG, throughPosition];
}

export function dropFamilyLog(connection: Connection, operation: OperationReader): void {
  connection.statement(DROP).run(operation.number());
}
