import type { DriverDatabase, Session } from '../engine/drivers/postgres/session.js';
import type { ConnectionFigures } from '../engine/ports/shared-database.js';
import { StoreError } from '../errors/service-errors.js';
import type { Database, Query } from '../storage/postgres/database/database.js';
import type { Script } from '../storage/postgres/database/schema-database.js';
import type { PgDatabase } from '../storage/postgres/pg-database.js';

/**
 * The database of one engine, before and after it was opened. The store opens it, as it opens a folder, because nothing is
 * connected to, looked at or migrated before an engine opens its store; whatever else is put together earlier has this in hand.
 *
 * 1. It is opened once, however many ask for it; after an attempt that failed the next one tries again.
 * 2. `close` is called by the store, which an engine closes last. Afterwards everything rejects.
 */
export class LazyDatabase implements Database, DriverDatabase {
  private readonly whenOpened = Promise.withResolvers<void>();
  private readonly closing = new AbortController();
  private opening: Promise<PgDatabase> | null = null;
  private current: PgDatabase | null = null;
  private sessions = 0;

  /** `connect` tries for a while, until the signal fires. */
  constructor(private readonly connect: (signal: AbortSignal) => Promise<PgDatabase>) {}

  /** Resolves once it is open, and never rejects: whoever opens it is told why it could not be. */
  get opened(): Promise<void> {
    return this.whenOpened.promise;
  }

  open(): Promise<PgDatabase> {
    if (this.closing.signal.aborted) return Promise.reject(closed());
    this.opening ??= this.openNow();
    return this.opening;
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    this.closing.abort();
    // One that is being opened is waited for: its connections would stay open.
    const database = await this.opening?.catch(() => null);
    this.current = null;
    await database?.close();
  }

  readonly query: Query = async (sql, values, withinMs) => (await this.open()).query(sql, values, withinMs);

  /** See `PgDatabase.reserved`. */
  readonly reserved: Database = this.ofReserved();

  async transaction<T>(work: (query: Query, script: Script) => Promise<T>): Promise<T> {
    return (await this.open()).transaction(work);
  }

  async snapshot<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return (await this.open()).snapshot(work);
  }

  async openSession(): Promise<Session> {
    const session = await (await this.open()).openSession();
    this.sessions += 1;
    void session.ended.then(() => (this.sessions -= 1));
    return session;
  }

  /** Those of the pool, and sessions of their own: of these nothing is idle, as they are what holds locks. */
  get connections(): ConnectionFigures {
    const { open, idle, waiting, most } = this.current?.connections ?? NONE;
    return { open: open + this.sessions, idle, waiting, most: most + SESSIONS };
  }

  /** What replicas without an encryption key sign with alike. */
  async sharedKey(): Promise<Uint8Array> {
    return (await this.open()).mcpKey;
  }

  get base(): number {
    return this.known.base;
  }

  private ofReserved(): Database {
    const baseOf = (): number => this.base;
    return {
      query: async (sql, values, withinMs) => (await this.open()).reserved.query(sql, values, withinMs),
      transaction: async (work) => (await this.open()).reserved.transaction(work),
      snapshot: async (work) => (await this.open()).reserved.snapshot(work),
      get base() {
        return baseOf();
      },
    };
  }

  get lockSpace(): number {
    return this.known.lockSpace;
  }

  private get known(): PgDatabase {
    if (this.current !== null) return this.current;
    throw this.closing.signal.aborted ? closed() : new StoreError('The store is not open yet');
  }

  private async openNow(): Promise<PgDatabase> {
    try {
      this.current = await this.connect(this.closing.signal);
      this.whenOpened.resolve();
      return this.current;
    } catch (error) {
      this.opening = null;
      throw error;
    }
  }
}

const NONE: ConnectionFigures = { open: 0, idle: 0, waiting: 0, most: 0 };
/** That many a replica has at most, next to the pool. */
const SESSIONS = 1;

function closed(): StoreError {
  return new StoreError('The store is closed: restart the service');
}
