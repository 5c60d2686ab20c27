import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../../errors/service-errors.js';
import { nodeSqlite } from '../connection/node-sqlite.js';
import { faultOf, isBusy, storeErrorOf } from '../connection/sqlite-fault.js';

/**
 * Says that this process, and no other, uses the data folder: an exclusive transaction on a file of its own that is
 * never committed. It ends with the process, however that ends. Nothing may open the file through `fs`: closing it
 * would give up the lock (https://sqlite.org/howtocorrupt.html, section 2.2).
 */
export class OwnerLock {
  private constructor(private readonly database: DatabaseSync) {}

  /** Throws a `StoreError` when another process, or another store of this one, has the folder. */
  static acquire(ownerFile: string): OwnerLock {
    const sqlite = nodeSqlite();
    let database: DatabaseSync | null = null;
    try {
      database = new sqlite.DatabaseSync(ownerFile);
      database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
      return new OwnerLock(database);
    } catch (error) {
      database?.close();
      const fault = faultOf(error);
      if (!isBusy(fault)) throw storeErrorOf(fault, ownerFile);
      throw new StoreError(
        'The data folder belongs to another running process: stop that one, or give this one a folder of its own',
        { cause: error },
      );
    }
  }

  release(): void {
    this.database.close();
  }
}
