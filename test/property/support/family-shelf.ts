import type { RunStore } from '../../../src/engine/ports/store/run-store.js';
import { InMemoryRunStore } from '../../../src/engine/index.js';
import { SqliteRunStore } from '../../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../../support/built-worker.js';
import { DurableEngines } from '../../support/durability-engine.js';

/** Where the runs of a family are kept, over the lives of several processes. */
export interface Shelf {
  /** The store that the next process finds. */
  next(): RunStore;
  close(): Promise<void>;
}

export function inMemory(): Shelf {
  const store = new InMemoryRunStore();
  return { next: () => store, close: () => store.close() };
}

/** Each process finds the folder as the death of the one before left it. */
export function onSqlite(): Shelf {
  const folders = new DurableEngines();
  const stores: RunStore[] = [];
  let folder: string | null = null;
  return {
    next() {
      folder = folder === null ? folders.folder() : folders.afterCrash(folder);
      const store = new SqliteRunStore({ folder, workers: builtWorkers });
      stores.push(store);
      return store;
    },
    async close() {
      for (const store of stores) await store.close();
      await folders.clear();
    },
  };
}
