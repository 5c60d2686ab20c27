import { numberOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { ColumnList } from '../column-list.js';
import { WRITE_CURSOR, type Operation, type OperationReader } from '../operation.js';

const CURSOR = new ColumnList({ name: 'text', position: 'number' });

const READ = 'SELECT position FROM cursors WHERE name = ?';
const WRITE = `
  INSERT INTO cursors (${CURSOR.names}) VALUES (${CURSOR.marks})
  ON CONFLICT (name) DO UPDATE SET position = excluded.position`;

export function readCursor(connection: Connection, name: string): number {
  const columns = connection.statement(READ).get(name);
  return columns === undefined ? 0 : numberOf(columns, 'position');
}

export function writeCursorOperation(cursor: {
  readonly name: string;
  readonly position: number;
}): Operation {
  return [WRITE_CURSOR, ...CURSOR.row(cursor)];
}

export function writeCursor(connection: Connection, operation: OperationReader): void {
  connection.statement(WRITE).run(...CURSOR.read(operation));
}
