import { textOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { ColumnList, type RowOf } from '../column-list.js';

export const LABEL = new ColumnList({ name: 'text', value: 'text' });
export type LabelRow = RowOf<typeof LABEL>;

const INSERT = `
  INSERT INTO run_labels (run_id, ${LABEL.names}, namespace, created_at) VALUES (?, ${LABEL.marks}, ?, ?)`;
const READ = 'SELECT name, value FROM run_labels WHERE run_id = ? ORDER BY name';

export function insertLabel(
  connection: Connection,
  run: { readonly runId: string; readonly namespace: string; readonly createdAt: number },
  label: LabelRow,
): void {
  connection.statement(INSERT).run(run.runId, ...label, run.namespace, run.createdAt);
}

export function readLabels(connection: Connection, runId: string): Readonly<Record<string, string>> {
  const rows = connection.statement(READ).all(runId);
  return Object.fromEntries(rows.map((columns) => [textOf(columns, 'name'), textOf(columns, 'value')]));
}
