import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from './built-worker.js';

/** One SQLite store for several engines of a test, as one database server is for several processes. */
export class SharedStore extends SqliteRunStore {
  private openings: Promise<{ readonly opening: string }> | null = null;
  private users = 0;

  constructor(folder: string) {
    super({ folder, workers: builtWorkers });
  }

  override open(): Promise<{ readonly opening: string }> {
    this.users++;
    this.openings ??= super.open();
    return this.openings;
  }

  /** The last one closes it. */
  override async close(): Promise<void> {
    if (--this.users === 0) await super.close();
  }
}
