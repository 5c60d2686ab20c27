/** `flowgate/postgres`: as many replicas as there are on one PostgreSQL. It needs the package `pg`. */
import './node-version-check.js';
import { POSTGRES_DEFAULTS, type Durability } from './config/service/postgres-options.js';
import { VERSION } from './config/version.js';
import { DatabaseClock } from './engine/drivers/postgres/database-clock.js';
import { PostgresDriver } from './engine/drivers/postgres/postgres-driver.js';
import { PostgresRunWatch } from './engine/drivers/postgres/watch/postgres-run-watch.js';
import type { Clock } from './engine/ports/clock.js';
import type { EngineLogger } from './engine/ports/logger.js';
import type { MemoryIndex } from './engine/ports/memory/memory-index.js';
import type { RunDriver } from './engine/ports/run-driver.js';
import type { RunWatch } from './engine/ports/run-watch.js';
import type { SharedDatabase } from './engine/ports/shared-database.js';
import type { RunStore } from './engine/ports/store/run-store.js';
import { SILENT, unfailing } from './engine/runtime/logger.js';
import { readTime } from './postgres/first-time.js';
import { LazyDatabase } from './postgres/lazy-database.js';
import { OldestTransaction } from './postgres/oldest-transaction.js';
import { Upkeep } from './postgres/upkeep.js';
import { listsAtOnceOf, PgDatabase } from './storage/postgres/pg-database.js';
import { PostgresMemoryIndex } from './storage/postgres/postgres-memory-index.js';
import { PostgresRunStore } from './storage/postgres/postgres-run-store.js';

export type { Clock, EngineLogger, MemoryIndex, RunDriver, RunStore, RunWatch, SharedDatabase };

/** The same in every replica, but for the URLs, which may lead to the same database by different ways. */
export interface PostgresOptions {
  /**
   * `postgresql://user:password@host:5432/database`, with what `pg` reads of a query, such as `sslmode` and `sslrootcert`. It
   * may lead through a pooler, whose transactions may share connections.
   */
  readonly url: string;
  /**
   * The way of the one connection whose locks say what this replica owns, and that is notified. It must not lead through a pooler
   * that swaps or shares connections. Default: `url`.
   */
  readonly sessionUrl?: string;
  /** The schema with all tables, which is made where it is missing. Several services may share a database. Default `flowgate`. */
  readonly schema?: string;
  /** That of the engine, by which a database that another key has written is refused. Default: none. */
  readonly encryptionKey?: Uint8Array | null;
  /** Into how many parts runs are divided, of which a replica owns some. Default 64. */
  readonly shards?: 64;
  /**
   * `verified`: a server whose settings say that a commit may be lost with its machine is refused. `elsewhere`: they may say so,
   * because the platform syncs by other means. Default `verified`.
   */
  readonly durability?: Durability;
  /** Connections of this replica, the one above included; at least 2. Default 8. */
  readonly maxConnections?: number;
  /**
   * Called once, when a newer release has changed the schema so that this one may not use it any more: the replica has given up its
   * runs by then, and should end. Default: that is logged.
   */
  readonly onOutdated?: () => void;
  /** Told what becomes of the connection and of what is owned. Default: nobody is. */
  readonly logger?: EngineLogger;
}

/** What an engine needs to share a database, by the names of its options. */
export interface PostgresParts {
  readonly store: RunStore;
  readonly memory: MemoryIndex;
  readonly driver: RunDriver;
  readonly watch: RunWatch;
  /** The time of the database, which is the same for all replicas. */
  readonly clock: Clock;
  /** What MCP signs with, and what health and metrics tell of the database. */
  readonly database: SharedDatabase;
  /** Replicas share what is registered. */
  readonly registry: 'durable';
}

/**
 * The parts of one engine that shares its runs with others by a database: `createEngine({ ...postgres({ url }) })`, or, in a Nest
 * application, `FlowgateModule.forRoot({ ...postgres({ url }) })`. Nothing is connected to before the engine opens its store, and
 * what cannot be used, or is refused, is a `StoreError` of that `open`. Each engine needs parts of its own.
 */
export function postgres(options: PostgresOptions): PostgresParts {
  const { url, shards = POSTGRES_DEFAULTS.shards } = options;
  const maxConnections = options.maxConnections ?? POSTGRES_DEFAULTS.maxConnections;
  const logger = unfailing(options.logger ?? SILENT);
  const clock = new DatabaseClock();
  const database = new LazyDatabase(async (signal) => {
    const opened = await PgDatabase.open({
      url,
      sessionUrl: options.sessionUrl ?? null,
      schema: options.schema ?? POSTGRES_DEFAULTS.schema,
      encryptionKey: options.encryptionKey ?? null,
      shardCount: shards,
      durability: options.durability ?? POSTGRES_DEFAULTS.durability,
      maxConnections,
      release: VERSION,
      logger,
      signal,
    });
    try {
      clock.observe(await readTime(opened.query));
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  });
  const driver = new PostgresDriver({
    database,
    clock: {
      observe(beat) {
        clock.observe(beat);
        upkeep.beaten();
      },
    },
    logger,
    shardCount: shards,
  });
  const outdated = options.onOutdated ?? (() => undefined);
  const oldest = new OldestTransaction(logger);
  const upkeep = new Upkeep({ database, driver, clock, logger, oldest, release: VERSION, outdated });
  const { link } = driver;
  const store = new PostgresRunStore({
    database,
    listsAtOnce: listsAtOnceOf(maxConnections),
    accessNotifications: {
      send: () => link.toAll({ type: 'access' }),
      onHeard: (heard) => link.hear(({ type }) => (type === 'access' ? heard() : undefined)),
      sendFile: (hash) => link.toAll({ type: 'access-file', replica: link.replica, hash }),
      onFile: (heard) =>
        link.hear((message) => {
          if (message.type === 'access-file' && message.replica !== link.replica)
            heard(message.replica, message.hash);
        }),
    },
  });
  return {
    store,
    memory: new PostgresMemoryIndex({ database }),
    driver,
    watch: new PostgresRunWatch({ driver, database, lastPosition: () => store.lastPosition(), logger }),
    clock,
    database: {
      sharedKey: () => database.sharedKey(),
      connections: () => database.connections,
      heldUp: () => oldest.heldUp,
    },
    registry: 'durable',
  };
}
