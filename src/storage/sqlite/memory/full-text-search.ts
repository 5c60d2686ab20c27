import { nodeSqlite } from '../connection/node-sqlite.js';

/** Whether this Node's SQLite has FTS5: Node 22.13 to 22.15 may not. Costs about a millisecond. */
export function hasFullTextSearch(): boolean {
  const sqlite = nodeSqlite();
  const database = new sqlite.DatabaseSync(':memory:');
  try {
    database.exec('CREATE VIRTUAL TABLE words USING fts5 (content)');
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}
