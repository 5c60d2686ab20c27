import { setTimeout as delay } from 'node:timers/promises';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { StoreError } from '../../../errors/service-errors.js';
import type { ConnectionSettings } from './connection-settings.js';
import type { Columns, Query } from '../database/database.js';
import { clientConfig, perform, performScript, type Pg } from './pg-client.js';
import { PgTransaction } from './pg-transaction.js';
import { DatabaseAwayError, faultOf, storeErrorOf, unreachedError } from '../database/postgres-fault.js';
import type { SchemaDatabase, Script } from '../database/schema-database.js';
import { IDENTIFIER_OF_SERVER, IS_STANDBY } from '../database/server-identity.js';
import { QUERY_TIMEOUT_MS, transactionBegins, type TransactionBegins } from '../database/session-settings.js';
import type { StatementTexts } from './statement-texts.js';

const IDLE_FOR_MS = 60_000;
const SET_UP_TIMEOUT_MS = 3_000;
const CLOSE_WITHIN_MS = 5_000;

export interface PoolOptions {
  readonly connection: ConnectionSettings;
  readonly texts: StatementTexts;
  readonly maxConnections: number;
  /** The statement that gives a new session its settings; null: a pooler swaps sessions, and settings would not last. */
  readonly settings: string | null;
}

/** How many connections there are, for metrics. */
export interface ConnectionCounts {
  readonly open: number;
  readonly idle: number;
  /** Statements and transactions that wait for one. */
  readonly waiting: number;
  readonly most: number;
}

/**
 * The connections that statements are performed on.
 *
 * 1. At most `maxConnections` are open. Who waits for one, or for the server, is told after some seconds that there is none:
 *    nothing waits for ever, and nothing is lost silently.
 * 2. A connection goes back into the pool only when it is known to be at rest.
 * 3. Each has our settings before its first statement, and leads to the server that the store was opened on, and not to one that
 *    follows it: after a failover the address may lead to a standby for a while, whose reads are of the past.
 */
export class PgPool implements SchemaDatabase {
  private readonly pool: Pool;
  private readonly texts: StatementTexts;
  private readonly begins: TransactionBegins;
  private readonly settings: string | null;
  private readonly most: number;
  private serverIdentifier: string | null = null;
  private closing: Promise<void> | null = null;

  constructor(pg: Pg, { connection, texts, maxConnections, settings }: PoolOptions) {
    this.texts = texts;
    this.settings = settings;
    this.begins = transactionBegins(settings === null);
    this.most = maxConnections;
    this.pool = new pg.Pool({
      ...clientConfig(pg, connection, QUERY_TIMEOUT_MS),
      max: maxConnections,
      min: 1,
      idleTimeoutMillis: IDLE_FOR_MS,
      onConnect: (client) => this.setUp(client),
    });
    // Whoever uses a connection is told by its statement; without a listener, an error would end the process.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  readonly query: Query = async (sql, values, withinMs) => {
    const client = await this.take();
    let isBroken = false;
    try {
      return await perform(client, this.texts.statement(sql), values, withinMs);
    } catch (error) {
      const fault = faultOf(error);
      isBroken = fault.endsConnection;
      throw storeErrorOf(fault);
    } finally {
      client.release(isBroken);
    }
  };

  transaction<T>(work: (query: Query, script: Script) => Promise<T>): Promise<T> {
    return this.between(this.begins.readWrite, work);
  }

  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.between(this.begins.snapshot, work);
  }

  /** Connections that are made from now on must lead to this server; null: nobody knows which it is. */
  expectServer(identifier: string | null): void {
    this.serverIdentifier = identifier;
  }

  get connections(): ConnectionCounts {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.pool;
    return { open, idle, waiting, most: this.most };
  }

  /** Waits some seconds for statements that are under way. */
  close(): Promise<void> {
    this.closing ??= Promise.race([this.pool.end(), delay(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    return this.closing;
  }

  private async between<T>(begin: string, work: (query: Query, script: Script) => Promise<T>): Promise<T> {
    const client = await this.take();
    const transaction = new PgTransaction(client, this.texts);
    try {
      await transaction.begin(begin);
      const result = await work(transaction.query, transaction.script);
      await transaction.commit();
      return result;
    } catch (error) {
      await transaction.rollBack();
      throw error;
    } finally {
      client.release(transaction.isBroken);
    }
  }

  private async take(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw unreachedError(error);
    }
  }

  private async setUp(client: ClientBase): Promise<void> {
    if (this.settings !== null) await performScript(client, this.settings, SET_UP_TIMEOUT_MS);
    const ask = async (text: string): Promise<Columns> => {
      const [answer = {}] = await perform(client, { text, name: undefined }, [], SET_UP_TIMEOUT_MS);
      return answer;
    };
    if ((await ask(IS_STANDBY))['is_standby'] === true) {
      throw new DatabaseAwayError(
        'The URL of the database leads to a standby, which only reads: have it lead to the primary; once it does, the service ' +
          'continues by itself',
      );
    }
    if (this.serverIdentifier === null) return;
    if ((await ask(IDENTIFIER_OF_SERVER))['identifier'] === this.serverIdentifier) return;
    // Its transaction ids are others: what is written there would not be where followers look for it.
    throw new StoreError(
      'The URL of the database leads to another server than at the start: restart the service, which then sees to the order ' +
        'of its log',
    );
  }
}
