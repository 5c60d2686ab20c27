import { numberOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';

const READ = 'SELECT counter FROM access_changes WHERE is_only = 1';
const MOVE = `
  INSERT INTO access_changes (is_only, counter) VALUES (1, 1)
  ON CONFLICT (is_only) DO UPDATE SET counter = counter + 1`;

export function readAccessCounter(connection: Connection): number {
  const columns = connection.statement(READ).get();
  return columns === undefined ? 0 : numberOf(columns, 'counter');
}

/** With the change that it tells of: both are in the one transaction of the group. */
export function moveAccessCounter(connection: Connection): void {
  connection.statement(MOVE).run();
}
