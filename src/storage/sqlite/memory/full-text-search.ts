import { DatabaseSync } from 'node:sqlite';

/** Whether this Node's SQLite has FTS5: Node 22.13 to 22.15 may not. Costs about a millisecond. */
export function hasFullTextSearch(): boolean {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec('CREATE VIRTUAL TABLE words USING fts5 (content)');
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}
