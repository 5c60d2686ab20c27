import type { IdempotencyRecord } from '../../../engine/ports/store/append.js';
import { textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';

/** scope, key, fingerprint, run_id. */
export type IdempotencyColumns = readonly [string, string, string, string];

const READ = 'SELECT fingerprint, run_id FROM idempotency WHERE scope = ? AND key = ?';
const INSERT = 'INSERT INTO idempotency (scope, key, fingerprint, run_id) VALUES (?, ?, ?, ?)';

export function readIdempotency(
  connection: Connection,
  scope: string,
  key: string,
): IdempotencyRecord | null {
  const columns = connection.statement(READ).get(scope, key);
  if (columns === undefined) return null;
  return { scope, key, fingerprint: textOf(columns, 'fingerprint'), runId: textOf(columns, 'run_id') };
}

export function hasIdempotency(connection: Connection, [scope, key]: IdempotencyColumns): boolean {
  return connection.statement(READ).get(scope, key) !== undefined;
}

export function insertIdempotency(connection: Connection, columns: IdempotencyColumns): void {
  connection.statement(INSERT).run(...columns);
}
