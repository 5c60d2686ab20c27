import type { CommitLog } from '../../../engine/ports/store/commit-log.js';
import { numberOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { escaped } from '../database/escaped.js';

export type ReadCursorRequest = Parameters<CommitLog['readCursor']>[0];
export type WriteCursorRequest = Parameters<CommitLog['writeCursor']>[0];

const READ = 'SELECT position FROM @.cursors WHERE name = $1::text';
const WRITE = `
  INSERT INTO @.cursors (name, position) VALUES ($1::text, $2::bigint)
  ON CONFLICT (name) DO UPDATE SET position = excluded.position`;

export async function readCursor(query: Query, { name }: ReadCursorRequest): Promise<number> {
  const [columns] = await query(READ, [escaped(name)]);
  return columns === undefined ? 0 : numberOf(columns, 'position');
}

export async function writeCursor(query: Query, { name, position }: WriteCursorRequest): Promise<void> {
  await query(WRITE, [escaped(name), position]);
}
