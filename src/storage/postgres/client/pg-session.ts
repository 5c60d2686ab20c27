import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { ConnectionSettings } from './connection-settings.js';
import type { Query } from '../database/database.js';
import { clientConfig, perform, performScript, refuseUnreadable, type Pg } from './pg-client.js';
import { faultOf, storeErrorOf, toStoreError } from '../database/postgres-fault.js';
import { Sequence } from './sequence.js';
import { SESSION_QUERY_TIMEOUT_MS } from '../database/session-settings.js';
import type { StatementTexts } from './statement-texts.js';

const END_WITHIN_MS = 1_000;

type NotificationListener = (channel: string, payload: string) => void;

/**
 * A connection of its own, which lives as long as what it holds: advisory locks, LISTEN. It takes one statement after another.
 *
 * 1. A statement that is not answered within two seconds, or that the connection did not survive, ends the session: nobody knows
 *    what it holds then.
 * 2. `ended` resolves once, however the session ended, and never rejects.
 */
export class PgSession {
  /** Why the session is over. */
  readonly ended: Promise<string>;

  private readonly statements = new Sequence();
  private readonly listeners: NotificationListener[] = [];
  private reason: string | null = null;

  private constructor(
    private readonly client: Client,
    private readonly texts: StatementTexts,
  ) {
    this.ended = new Promise((resolve) => {
      client.once('end', () => resolve(this.reason ?? 'The session was ended'));
    });
    // Without a listener, an error of an idle connection would end the process. 'end' follows.
    client.on('error', (error) => {
      this.reason ??= toStoreError(error).message;
    });
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.listeners) listener(channel, payload ?? '');
    });
  }

  /**
   * `settings`: the statement that gives the session its settings; null: it keeps those of its role. Rejects with a `StoreError`.
   */
  static async open(
    pg: Pg,
    connection: ConnectionSettings,
    texts: StatementTexts,
    settings: string | null,
  ): Promise<PgSession> {
    const config = clientConfig(pg, connection, SESSION_QUERY_TIMEOUT_MS);
    refuseUnreadable(pg, config);
    const client = new pg.Client(config);
    const session = new PgSession(client, texts);
    try {
      await client.connect();
      if (settings !== null) await performScript(client, settings, SESSION_QUERY_TIMEOUT_MS);
      return session;
    } catch (error) {
      destroy(client);
      throw toStoreError(error);
    }
  }

  readonly query: Query = (sql, values) =>
    this.run(() => perform(this.client, this.texts.statement(sql), values));

  /** Statements that take no values and whose answers nobody needs, separated by semicolons. */
  script(sql: string): Promise<void> {
    return this.run(() => performScript(this.client, this.texts.script(sql), SESSION_QUERY_TIMEOUT_MS));
  }

  /** Called for each NOTIFY on a channel that was LISTENed to in this session. It must not throw. */
  onNotification(listener: NotificationListener): void {
    this.listeners.push(listener);
  }

  /** The server frees what the session held. Resolves within a second, whether the server answers or not. */
  async end(): Promise<void> {
    const goodbye = this.client.end().catch(() => undefined);
    await Promise.race([goodbye, delay(END_WITHIN_MS, undefined, { ref: false })]);
    destroy(this.client);
  }

  private run<T>(work: () => Promise<T>): Promise<T> {
    return this.statements.run(async () => {
      try {
        return await work();
      } catch (error) {
        const fault = faultOf(error);
        const storeError = storeErrorOf(fault);
        if (fault.endsConnection) {
          this.reason ??= storeError.message;
          destroy(this.client);
        }
        throw storeError;
      }
    });
  }
}

/** Closes the socket at once: `end` of `pg` waits for a server that may never answer. */
function destroy(client: Client): void {
  const { connection } = client as unknown as {
    readonly connection?: { readonly stream?: { destroy(): void } };
  };
  connection?.stream?.destroy();
}
