import { textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';

/** run_id, name, value. */
export type LabelColumns = readonly [string, string, string];

const INSERT = 'INSERT INTO run_labels (run_id, name, value, namespace, created_at) VALUES (?, ?, ?, ?, ?)';
const READ = 'SELECT name, value FROM run_labels WHERE run_id = ? ORDER BY name';

/** `namespace` and `createdAt` are the run's. */
export function insertLabel(
  connection: Connection,
  columns: LabelColumns,
  namespace: string,
  createdAt: number,
): void {
  connection.statement(INSERT).run(...columns, namespace, createdAt);
}

export function readLabels(connection: Connection, runId: string): Readonly<Record<string, string>> {
  const rows = connection.statement(READ).all(runId);
  return Object.fromEntries(rows.map((columns) => [textOf(columns, 'name'), textOf(columns, 'value')]));
}
