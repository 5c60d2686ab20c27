import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { encryptionKeyIn } from '../config/service/encryption-key.js';
import type { FlowgateConfig } from '../config/service/settings.js';
import { InMemoryMemoryIndex } from '../engine/in-memory/in-memory-memory-index.js';
import { InMemoryRunStore } from '../engine/in-memory/in-memory-run-store.js';
import type { Clock } from '../engine/ports/clock.js';
import type { MemoryIndex } from '../engine/ports/memory/memory-index.js';
import type { RunDriver } from '../engine/ports/run-driver.js';
import type { RunWatch } from '../engine/ports/run-watch.js';
import type { SharedDatabase } from '../engine/ports/shared-database.js';
import type { RunStore } from '../engine/ports/store/run-store.js';
import { nestLogger } from '../logging/nest-logger.js';
import { hasFullTextSearch } from './sqlite/memory/full-text-search.js';
import { SqliteMemoryIndex } from './sqlite/sqlite-memory-index.js';
import { SqliteRunStore } from './sqlite/sqlite-run-store.js';

/** The adapters that a configuration names, as options of an engine. */
export interface StoragePorts {
  readonly store: RunStore;
  readonly memory: MemoryIndex;
  /** With the others, where several processes share the store; absent: this one is alone with it. */
  readonly driver?: RunDriver;
  readonly watch?: RunWatch;
  readonly clock?: Clock;
  readonly database?: SharedDatabase;
}

export const STORAGE = Symbol('STORAGE');

@Module({})
export class StorageModule {
  static with(config: FlowgateConfig): DynamicModule {
    const provider: FactoryProvider<StoragePorts> = {
      provide: STORAGE,
      useFactory: () => storageFor(config),
    };
    return { module: StorageModule, providers: [provider], exports: [STORAGE] };
  }
}

async function storageFor(config: FlowgateConfig): Promise<StoragePorts> {
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
    case 'postgres':
      return onPostgres(config);
  }
}

/**
 * Without full-text search in Node's SQLite (before 22.16) the memory is kept in the process and filled again from the
 * log.
 */
function memoryIn(folder: string): MemoryIndex {
  return hasFullTextSearch() ? new SqliteMemoryIndex({ folder }) : new InMemoryMemoryIndex();
}

/** Loaded here: most services have no database server. */
async function onPostgres(config: FlowgateConfig): Promise<StoragePorts> {
  const { databaseUrl, databaseSessionUrl, databaseSchema, databaseDurable } = config;
  if (databaseUrl === null) throw new Error('A configuration with this store has the URL of a database.');
  const { postgres } = await import('../postgres.js');
  return postgres({
    url: databaseUrl,
    ...(databaseSessionUrl === null ? {} : { sessionUrl: databaseSessionUrl }),
    schema: databaseSchema,
    durability: databaseDurable,
    encryptionKey: encryptionKeyIn(config),
    logger: nestLogger('Database'),
    // It drains, and ends; another start says why that release cannot be used.
    onOutdated: () => process.kill(process.pid, 'SIGTERM'),
  });
}
