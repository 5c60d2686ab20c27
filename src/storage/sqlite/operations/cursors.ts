import { numberOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import type { OperationReader } from '../writer/operation.js';

const READ = 'SELECT position FROM cursors WHERE name = ?';

const WRITE = `
  INSERT INTO cursors (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position`;

export function readCursor(connection: Connection, name: string): number {
  const columns = connection.statement(READ).get(name);
  return columns === undefined ? 0 : numberOf(columns, 'position');
}

export function writeCursor(connection: Connection, operation: OperationReader): void {
  connection.statement(WRITE).run(operation.text(), operation.number());
}
