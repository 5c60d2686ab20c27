import type { IdempotencyRecord } from '../../../../engine/ports/store/append.js';
import { textOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { ColumnList, type RowOf } from '../column-list.js';

export const IDEMPOTENCY = new ColumnList({
  scope: 'text',
  key: 'text',
  fingerprint: 'text',
  run_id: 'text',
});
export type IdempotencyRow = RowOf<typeof IDEMPOTENCY>;

const READ = 'SELECT fingerprint, run_id FROM idempotency WHERE scope = ? AND key = ?';
const INSERT = `INSERT INTO idempotency (${IDEMPOTENCY.names}) VALUES (${IDEMPOTENCY.marks})`;

export function readIdempotency(
  connection: Connection,
  scope: string,
  key: string,
): IdempotencyRecord | null {
  const columns = connection.statement(READ).get(scope, key);
  if (columns === undefined) return null;
  return { scope, key, fingerprint: textOf(columns, 'fingerprint'), runId: textOf(columns, 'run_id') };
}

export function hasIdempotency(connection: Connection, row: IdempotencyRow): boolean {
  const scope = IDEMPOTENCY.field(row, 'scope');
  return connection.statement(READ).get(scope, IDEMPOTENCY.field(row, 'key')) !== undefined;
}

export function insertIdempotency(connection: Connection, row: IdempotencyRow): void {
  connection.statement(INSERT).run(...row);
}
