import { Module, type DynamicModule } from '@nestjs/common';
import type { FlowgateConfig } from '../config/service/settings.js';
import type { MemoryIndex } from '../engine/ports/memory/memory-index.js';
import type { RunStore } from '../engine/ports/store/run-store.js';
import { InMemoryMemoryIndex } from '../engine/in-memory/in-memory-memory-index.js';
import { InMemoryRunStore } from '../engine/in-memory/in-memory-run-store.js';
import { hasFullTextSearch } from './sqlite/memory/full-text-search.js';
import { SqliteMemoryIndex } from './sqlite/sqlite-memory-index.js';
import { SqliteRunStore } from './sqlite/sqlite-run-store.js';

export const RUN_STORE = Symbol('RUN_STORE');
export const MEMORY_INDEX = Symbol('MEMORY_INDEX');

/** The adapters that the configuration names. */
@Module({})
export class StorageModule {
  static with(config: FlowgateConfig): DynamicModule {
    const { store, memory } = adaptersFor(config);
    return {
      module: StorageModule,
      providers: [
        { provide: RUN_STORE, useValue: store },
        { provide: MEMORY_INDEX, useValue: memory },
      ],
      exports: [RUN_STORE, MEMORY_INDEX],
    };
  }
}

function adaptersFor(config: FlowgateConfig): { readonly store: RunStore; readonly memory: MemoryIndex } {
  switch (config.store) {
    case 'memory':
      return {
        store: new InMemoryRunStore(
          config.maxEndedRuns === null ? {} : { maxEndedRuns: config.maxEndedRuns },
        ),
        memory: new InMemoryMemoryIndex(),
      };
    case 'sqlite': {
      const folder = config.dataDir;
      return { store: new SqliteRunStore({ folder }), memory: memoryIn(folder) };
    }
  }
}

/**
 * Without full-text search in Node's SQLite (before 22.16) the memory is kept in the process and filled again from the
 * log.
 */
function memoryIn(folder: string): MemoryIndex {
  return hasFullTextSearch() ? new SqliteMemoryIndex({ folder }) : new InMemoryMemoryIndex();
}
