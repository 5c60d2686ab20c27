import { textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';

/** run_id, name, value. */
export type LabelColumns = readonly [string, string, string];

const INSERT = 'INSERT INTO run_labels (run_id, name, value) VALUES (?, ?, ?)';
const READ = 'SELECT name, value FROM run_labels WHERE run_id = ? ORDER BY name';

export function insertLabel(connection: Connection, columns: LabelColumns): void {
  connection.statement(INSERT).run(...columns);
}

export function readLabels(connection: Connection, runId: string): Readonly<Record<string, string>> {
  const rows = connection.statement(READ).all(runId);
  return Object.fromEntries(rows.map((columns) => [textOf(columns, 'name'), textOf(columns, 'value')]));
}
