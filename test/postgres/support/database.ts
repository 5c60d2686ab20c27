import { VERSION } from '../../../src/config/version.js';
import type { RunStore } from '../../../src/engine/ports/store/run-store.js';
import { postgres, type PostgresOptions, type PostgresParts } from '../../../src/postgres.js';
import { LazyDatabase } from '../../../src/postgres/lazy-database.js';
import { PgDatabase } from '../../../src/storage/postgres/pg-database.js';
import { PostgresRunStore } from '../../../src/storage/postgres/postgres-run-store.js';
import { connect, sharedUrl, type PlainConnection, type Row } from './server.js';

/** A schema of the shared server, for one test. */
export interface StartedDatabase {
  readonly url: string;
  readonly schema: string;
  /** Open: its tables are there. */
  readonly database: PgDatabase;
  /** Over that database; not open yet, as contracts want it. Its `close` closes the database, too. */
  readonly store: RunStore;
  /** The parts of one more replica, with connections of its own; whoever opens them closes them. */
  replica(options?: Partial<PostgresOptions>): PostgresParts;
  /** Looks or changes by a connection of its own; `@.` before a name stands for the schema. */
  sql(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Closes the store and removes the schema, or what is in it. */
  dispose(): Promise<void>;
}

let made = 0;

/** A name that no other test has, nor a run of tests before this one. */
export function newSchema(): string {
  made += 1;
  return `test_${process.pid}_${Date.now().toString(36)}_${made}`;
}

/** The connections of one more replica, without a store on them. */
export function openedDatabase({
  url,
  schema,
}: {
  readonly url: string;
  readonly schema: string;
}): Promise<PgDatabase> {
  return PgDatabase.open({
    url,
    sessionUrl: null,
    schema,
    encryptionKey: null,
    shardCount: 64,
    durability: 'verified',
    maxConnections: 8,
    release: VERSION,
    logger: null,
  });
}

/** `url`: of whoever owns the schema; the superuser by default. */
export async function startedDatabase({ url = sharedUrl() } = {}): Promise<StartedDatabase> {
  const place = await connected(url, newSchema());
  return startedIn(place, async () => {
    await place.database.close().catch(() => undefined);
    await removed(place);
  });
}

/**
 * For the many short tests of a contract, to be called once, outside of tests: one schema for all, which is emptied after each, and
 * the same connections. To make either takes longer than nearly every one of those tests.
 */
export function databasesOfOneSchema(): () => Promise<StartedDatabase> {
  let connecting: Promise<Place> | null = null;
  afterAll(async () => {
    const place = await connecting;
    if (place === null) return;
    await place.database.close();
    await removed(place);
  });
  return async () => {
    connecting ??= connected(sharedUrl(), newSchema());
    const place = await connecting;
    // Whoever closes it leaves the connections to the next test.
    const database: PgDatabase = Object.create(place.database, { close: { value: async () => undefined } });
    return startedIn({ ...place, database }, () => emptied(place));
  };
}

/** A schema with its tables, and the ways to it: that of a replica, and one of the test's own. */
interface Place {
  readonly url: string;
  readonly schema: string;
  readonly database: PgDatabase;
  readonly own: PlainConnection;
}

async function connected(url: string, schema: string): Promise<Place> {
  const database = await openedDatabase({ url, schema });
  return { url, schema, database, own: await connect(url) };
}

async function removed({ own, schema }: Place): Promise<void> {
  // What somebody still has open there is a fault of the test, which must not hang for it.
  await own.query("SET lock_timeout = '10s'");
  await own.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  await own.end();
}

/** Of everything but what the schema itself is: its version, its base. */
async function emptied({ own, schema }: Place): Promise<void> {
  const tables = await own.query(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition AND relname <> 'store'`,
    [schema],
  );
  await own.query(tables.map(({ name }) => `DELETE FROM "${schema}"."${String(name)}"`).join(';'));
}

function startedIn({ url, schema, database, own }: Place, leave: () => Promise<void>): StartedDatabase {
  const store = new PostgresRunStore({ database: new LazyDatabase(async () => database) });
  return {
    url,
    schema,
    database,
    store,
    replica: (options = {}) => postgres({ url, schema, ...options }),
    sql: (text, values) => own.query(text.replaceAll('@.', `"${schema}".`), values),
    async dispose() {
      await store.close().catch(() => undefined);
      await leave();
    },
  };
}
