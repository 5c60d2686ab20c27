export type SessionValue = string | number | boolean | null | readonly number[];
export type SessionRow = Readonly<Record<string, unknown>>;

/**
 * One connection to the database, from its beginning to its end: never one of a pool, nor through a pooler that swaps
 * connections. Its locks are what this replica owns.
 */
export interface Session {
  /** One statement; `@.` before a name stands for the schema. They are performed in the order of the calls. */
  query(sql: string, values?: readonly SessionValue[]): Promise<readonly SessionRow[]>;
  /** Statements that take and answer nothing, separated by semicolons: one round trip for all of them. */
  script(sql: string): Promise<void>;
  /** Called for each NOTIFY on a channel that was LISTENed to in this session. */
  onNotification(listener: (channel: string, payload: string) => void): void;
  /** Resolves, never rejects, when the session is over for whatever reason, with the reason. */
  readonly ended: Promise<string>;
  /** Resolves when it is over, also where the database is silent. */
  end(): Promise<void>;
}

/** What the driver and the watch need of the database. */
export interface DriverDatabase {
  openSession(): Promise<Session>;
  /** One autocommit statement, on any connection. */
  query(sql: string, values?: readonly SessionValue[]): Promise<readonly SessionRow[]>;
  /** The oid of the schema as a signed 32-bit number: the first key of every lock, and part of channels' names. */
  readonly lockSpace: number;
  /** Resolves when the store is open: nothing above may be used before. */
  readonly opened: Promise<void>;
}
