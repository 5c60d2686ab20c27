import { setTimeout as delay } from 'node:timers/promises';
import { StoreError } from '../../errors/service-errors.js';
import type { EngineLogger } from '../../engine/ports/logger.js';
import { settleBase } from './schema/base.js';
import { migrate } from './schema/migrate.js';
import { preparePartitions } from './schema/partitions.js';
import { connectionSettings, quotedSchema, type ConnectionSettings } from './client/connection-settings.js';
import type { Database, Query } from './database/database.js';
import { clientConfig, loadPg, refuseUnreadable, type Pg } from './client/pg-client.js';
import { PgPool, type ConnectionCounts } from './client/pg-pool.js';
import { PgSession } from './client/pg-session.js';
import { DatabaseAwayError } from './database/postgres-fault.js';
import {
  areInOneDatabase,
  areSessionsSwapped,
  keyCheckOf,
  readServerFacts,
  refusalOfPoolMode,
  refusalOfRights,
  refusalOfServer,
  refuse,
} from './database/refusals.js';
import type { SchemaDatabase, Script } from './database/schema-database.js';
import {
  IDLE_SESSION_MS,
  QUERY_TIMEOUT_MS,
  sessionSettings,
  type Durability,
} from './database/session-settings.js';
import { StatementTexts } from './client/statement-texts.js';

/** How long the start tries while no database answers, and while others hold locks on the schema. */
const START_PATIENCE_MS = 60_000;
const TRY_AGAIN_MS = 1_000;
/** Of all connections of a replica, those that are no part of the pool: the session with its locks. */
const SESSIONS = 1;

export interface DatabaseOptions {
  /** `postgresql://user:password@host:5432/database`; that of a pooler in transaction mode only next to a `sessionUrl`. */
  readonly url: string;
  /** Leads to the same database by sessions that are not swapped. Null: `url` does. */
  readonly sessionUrl: string | null;
  readonly schema: string;
  /** Null: nothing is encrypted. */
  readonly encryptionKey: Uint8Array | null;
  readonly shardCount: number;
  readonly durability: Durability;
  /** All connections of this process, the session with its locks included; at least 2. */
  readonly maxConnections: number;
  /** This release of the package. */
  readonly release: string;
  readonly logger: EngineLogger | null;
  /** Ends the tries of a start. Absent: nothing does. */
  readonly signal?: AbortSignal;
}

/** Where a store is, by URLs that were read. */
interface Place {
  readonly main: ConnectionSettings;
  /** Where sessions are that stay what they are. */
  readonly session: ConnectionSettings;
  /** A pooler between us and the database gives each statement to any session. */
  readonly isPooled: boolean;
  /** As statements have it. */
  readonly schema: string;
}

/** The database of a store, with its schema up to date. */
export class PgDatabase implements Database, SchemaDatabase {
  readonly query: Query;
  readonly base: number;
  readonly schemaOid: number;
  /** What MCP signs with where there is no encryption key; the same at every replica. */
  readonly mcpKey: Uint8Array;

  /** On connections of its own: appends and marks wait for no list and no purge. */
  readonly reserved: Database;

  private constructor(
    private readonly pool: PgPool,
    private readonly reservedPool: PgPool,
    private readonly sessions: () => Promise<PgSession>,
    known: { readonly base: number; readonly schemaOid: number; readonly mcpKey: Uint8Array },
  ) {
    this.query = pool.query;
    this.reserved = {
      query: reservedPool.query,
      transaction: (work) => reservedPool.transaction(work),
      snapshot: (work) => reservedPool.snapshot(work),
      base: known.base,
    };
    this.base = known.base;
    this.schemaOid = known.schemaOid;
    this.mcpKey = known.mcpKey;
  }

  /**
   * Connects, refuses what runs cannot be kept in, and makes the schema or brings it up to date. While no database answers, it tries
   * for a minute. Rejects with a `StoreError`; nothing stays open then.
   */
  static async open(options: DatabaseOptions): Promise<PgDatabase> {
    const pg = await loadPg();
    const place = placeOf(pg, options);
    const until = performance.now() + START_PATIENCE_MS;
    let isFirst = true;
    for (;;) {
      try {
        return await PgDatabase.openOnce(pg, place, options);
      } catch (error) {
        if (!(error instanceof DatabaseAwayError)) throw error;
        if (performance.now() >= until || options.signal?.aborted === true) throw error;
        if (isFirst)
          options.logger?.warn(`No database yet, which is tried again for a minute: ${error.message}`);
        isFirst = false;
      }
      await wait(TRY_AGAIN_MS, options.signal ?? null);
    }
  }

  private static async openOnce(pg: Pg, place: Place, options: DatabaseOptions): Promise<PgDatabase> {
    const { schema, shardCount, encryptionKey, durability, maxConnections, release, logger } = options;
    await refuseUnsuitable(pg, place, options);
    const { all, reserved } = connectionsOf(maxConnections);
    const poolOf = (connections: number, hasPlansForAllValues: boolean): PgPool =>
      new PgPool(pg, {
        connection: place.main,
        texts: new StatementTexts(place.schema, !place.isPooled),
        maxConnections: connections,
        settings: place.isPooled
          ? null
          : sessionSettings({ durability, idleSessionMs: 0, hasPlansForAllValues }),
      });
    const pool = poolOf(all - reserved, false);
    const reservedPool = reserved === 0 ? pool : poolOf(reserved, true);
    try {
      const keyCheck = keyCheckOf(encryptionKey);
      const patience = { patienceMs: START_PATIENCE_MS, signal: options.signal ?? null };
      const store = await migrate(pool, { schema, release, shardCount, keyCheck, ...patience });
      const { base, serverIdentifier } = await settleBase(pool, patience);
      for (const one of [pool, reservedPool]) one.expectServer(serverIdentifier);
      await prepare(pool, logger, patience.signal);
      const texts = new StatementTexts(place.schema, true);
      const settings = sessionSettings({
        durability,
        idleSessionMs: IDLE_SESSION_MS,
        hasPlansForAllValues: false,
      });
      const sessions = (): Promise<PgSession> => PgSession.open(pg, place.session, texts, settings);
      return new PgDatabase(pool, reservedPool, sessions, { base, ...store });
    } catch (error) {
      await Promise.all([pool.close(), reservedPool.close()]);
      throw error;
    }
  }

  transaction<T>(work: (query: Query, script: Script) => Promise<T>): Promise<T> {
    return this.pool.transaction(work);
  }

  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.pool.snapshot(work);
  }

  /** A connection of its own, for locks and notifications. It ends by itself when nothing is said in it for 2.5 s. */
  openSession(): Promise<PgSession> {
    return this.sessions();
  }

  /** The first key of every advisory lock of the store, and part of the names of its channels: the schema's oid, signed. */
  get lockSpace(): number {
    return this.schemaOid | 0;
  }

  get connections(): ConnectionCounts {
    const { open, idle, waiting, most } = this.pool.connections;
    if (this.reservedPool === this.pool) return this.pool.connections;
    const reserved = this.reservedPool.connections;
    return {
      open: open + reserved.open,
      idle: idle + reserved.idle,
      waiting: waiting + reserved.waiting,
      most: most + reserved.most,
    };
  }

  /** Waits some seconds for what is under way; afterwards everything rejects. Sessions are ended by whoever opened them. */
  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.reservedPool.close()]);
  }
}

/** How many connections a replica has beside its session, and how many of them are for appends and marks alone. */
function connectionsOf(maxConnections: number): { readonly all: number; readonly reserved: number } {
  const all = Math.max(1, maxConnections - SESSIONS);
  // Two groups of appends are under way at most.
  return { all, reserved: all >= 4 ? 2 : all >= 2 ? 1 : 0 };
}

/** How many connections the lists of one namespace have at once: a quarter, or one, is left for those of others. */
export function listsAtOnceOf(maxConnections: number): number {
  const { all, reserved } = connectionsOf(maxConnections);
  return Math.max(1, Math.min(Math.floor(0.75 * (all - reserved)), all - reserved - 1));
}

/** Throws a `StoreError` for what cannot be an address or a name. */
function placeOf(pg: Pg, { url, sessionUrl, schema }: DatabaseOptions): Place {
  const main = connectionSettings(url);
  const session = sessionUrl === null ? main : connectionSettings(sessionUrl);
  for (const settings of [main, session]) refuseUnreadable(pg, clientConfig(pg, settings, QUERY_TIMEOUT_MS));
  return { main, session, isPooled: sessionUrl !== null, schema: quotedSchema(schema) };
}

/** Looks at the server by sessions that have the settings of the role, as it is found. */
async function refuseUnsuitable(
  pg: Pg,
  place: Place,
  { schema, durability }: DatabaseOptions,
): Promise<void> {
  const { main, session, isPooled } = place;
  const texts = new StatementTexts(place.schema, false);
  const opened: PgSession[] = [];
  const open = async (settings: ConnectionSettings): Promise<Query> => {
    const one = await PgSession.open(pg, settings, texts, null);
    opened.push(one);
    return one.query;
  };
  try {
    const first = await open(session);
    const query = isPooled ? await open(main) : first;
    refuse(refusalOfServer(await readServerFacts(query), { durability, isPooled }));
    if (await areSessionsSwapped(first, await open(session))) {
      throw new StoreError(
        'A pooler swaps the sessions of the database: give the URL of the database itself as ' +
          'FLOWGATE_DATABASE_SESSION_URL (sessionUrl in code), next to that of the pooler',
        { permanent: true },
      );
    }
    if (isPooled && !(await areInOneDatabase(first, query))) {
      throw new StoreError(
        'The session URL leads to another database than the URL: give two URLs of one database',
        { permanent: true },
      );
    }
    if (isPooled) refuse(await refusalOfPoolMode(query));
    refuse(await refusalOfRights(query, schema));
  } finally {
    await Promise.all(opened.map((one) => one.end()));
  }
}

/** A store without partitions for its weeks is slower to purge, and works: the next look makes them. */
async function prepare(
  database: SchemaDatabase,
  logger: EngineLogger | null,
  signal: AbortSignal | null,
): Promise<void> {
  try {
    if (await preparePartitions(database, signal)) return;
    logger?.info(
      'Partitions of the log could not be made now, since others use the schema: they are made later',
    );
  } catch (error) {
    if (!(error instanceof StoreError) || error instanceof DatabaseAwayError) throw error;
    logger?.warn(`Partitions of the log could not be made: ${error.message}`);
  }
}

async function wait(ms: number, signal: AbortSignal | null): Promise<void> {
  try {
    await delay(ms, undefined, signal === null ? {} : { signal });
  } catch {
    // The signal fired: the next try is the last.
  }
}
