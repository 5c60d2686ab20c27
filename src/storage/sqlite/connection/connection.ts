import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { nodeSqlite } from './node-sqlite.js';

export type Access = 'read' | 'write';

/** Our threads wait this long for one another; no other program may use the files. */
const BUSY_TIMEOUT_MS = 5_000;

const COMMON = [`busy_timeout = ${BUSY_TIMEOUT_MS}`, 'cache_size = -16000', 'temp_store = MEMORY'];

const FOR: Readonly<Record<Access, readonly string[]>> = {
  read: [],
  // FULL: a commit returns once its log is on the disk. Checkpoints are left to the writer, after it has sent its results.
  write: [
    'journal_mode = WAL',
    'synchronous = FULL',
    'wal_autocheckpoint = 0',
    'journal_size_limit = 67108864',
  ],
};

/** One SQLite connection and the statements that were prepared on it. */
export class Connection {
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();

  /** Throws SQLite's error; nothing stays open then. */
  constructor(file: string, access: Access) {
    const sqlite = nodeSqlite();
    this.database = new sqlite.DatabaseSync(file, { readOnly: access === 'read' });
    try {
      for (const pragma of [...COMMON, ...FOR[access]]) this.database.exec(`PRAGMA ${pragma}`);
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  /** The statement, prepared once. The text must be a constant. */
  statement(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }

  execute(sql: string): void {
    this.database.exec(sql);
  }

  /** All reads inside see the same commit. */
  snapshot<Result>(read: () => Result): Result {
    return this.between('BEGIN', read);
  }

  /** Commits what is written inside, or rolls all of it back. */
  transaction<Result>(write: () => Result): Result {
    return this.between('BEGIN IMMEDIATE', write);
  }

  close(): void {
    this.statements.clear();
    this.database.close();
  }

  private between<Result>(begin: string, work: () => Result): Result {
    this.statement(begin).run();
    try {
      const result = work();
      this.statement('COMMIT').run();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** SQLite may have rolled back already (a full disk): then there is nothing left to undo. */
  private rollback(): void {
    try {
      this.statement('ROLLBACK').run();
    } catch {
      // The fault that led here is the one to report.
    }
  }
}
