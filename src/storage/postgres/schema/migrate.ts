import { randomBytes } from 'node:crypto';
import { StoreError } from '../../../errors/service-errors.js';
import { numberOf, textOf, textOrNull } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { refusalOfSettings, refuse, type SharedSettings } from '../database/refusals.js';
import {
  changeSchema,
  type Patience,
  type SchemaDatabase,
  type Script,
} from '../database/schema-database.js';
import { runsAndLogs } from './migrations/0001-runs-and-logs.js';
import { memory } from './migrations/0002-memory.js';
import { childrenByAge } from './migrations/0003-children-by-age.js';
import { compensation } from './migrations/0004-compensation.js';
import { access } from './migrations/0005-access.js';
import { audit } from './migrations/0006-audit.js';
import { memoryOfWorkflows } from './migrations/0007-memory-of-workflows.js';
import { roomForUpdates } from './migrations/0008-room-for-updates.js';
import type { Migration } from './migration.js';
import { compressDefaultPartitions } from './partitioned-tables.js';
import { isOlderRelease } from './releases.js';

interface Step {
  readonly migration: Migration;
  /**
   * The oldest release that may run on the schema after this step: one that is older ends where it runs, and does not start. It
   * never goes back from step to step.
   */
  readonly oldestRelease: string;
  /** What depends on how the server is built, in the same transaction. */
  readonly afterwards: ((query: Query, script: Script) => Promise<void>) | null;
}

const STEPS: readonly Step[] = [
  { migration: runsAndLogs, oldestRelease: '0.1.0', afterwards: compressDefaultPartitions },
  { migration: memory, oldestRelease: '0.1.0', afterwards: null },
  { migration: childrenByAge, oldestRelease: '0.1.0', afterwards: null },
  { migration: compensation, oldestRelease: '0.1.0', afterwards: null },
  { migration: access, oldestRelease: '0.1.0', afterwards: null },
  { migration: audit, oldestRelease: '0.1.0', afterwards: null },
  { migration: memoryOfWorkflows, oldestRelease: '0.1.0', afterwards: null },
  { migration: roomForUpdates, oldestRelease: '0.1.0', afterwards: null },
];

const SCHEMA_VERSION = STEPS.length;

const KEY_BYTES = 32;

/** The one row says what all replicas have alike. It is there before the first migration, and each one is entered in it. */
const CREATE_STORE = `
  CREATE TABLE @.store (
    is_only           boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    schema_version    integer NOT NULL,
    oldest_release    text NOT NULL,
    -- Of the server that base was settled on; null: it does not say.
    system_identifier text,
    -- See base.ts.
    base              bigint NOT NULL,
    shard_count       integer NOT NULL,
    -- Tells the encryption key from others; null: nothing is encrypted.
    key_check         text,
    -- What MCP signs with where there is no encryption key.
    mcp_key           text NOT NULL
  )`;

const INSERT_STORE = `
  INSERT INTO @.store (schema_version, oldest_release, base, shard_count, key_check, mcp_key)
  VALUES (0, $1, 0, $2, $3, $4)`;

const READ_STORE = 'SELECT schema_version, oldest_release, shard_count, key_check, mcp_key FROM @.store';

const ENTER_STEP = 'UPDATE @.store SET schema_version = $1, oldest_release = $2';

const ADD_KEY = 'UPDATE @.store SET key_check = $1 WHERE key_check IS NULL';

const FIND_SCHEMA = 'SELECT oid::bigint AS schema_oid FROM pg_catalog.pg_namespace WHERE nspname = $1::name';

const FIND_STORE = `
  SELECT made.oid::bigint AS store_oid FROM pg_catalog.pg_class AS made
  WHERE made.relname = 'store' AND made.relnamespace = $1::bigint::oid`;

const READ_OLDEST_RELEASE = 'SELECT oldest_release FROM @.store';

/** With how long to try where others hold locks. */
export interface MigrateOptions extends SharedSettings, Patience {
  /** As it is in the catalog, without quotes. */
  readonly schema: string;
  /** This release of the package. */
  readonly release: string;
}

/** What is known of a store whose schema is up to date. */
export interface MigratedStore {
  readonly schemaOid: number;
  readonly mcpKey: Uint8Array;
}

interface StoreRow extends SharedSettings {
  readonly version: number;
  readonly oldestRelease: string;
  readonly mcpKey: string;
}

/**
 * Makes the schema, at once, or brings it to the newest version, each step in a transaction of its own, at one replica at a time; the
 * others serve meanwhile, and find it done. Rejects with a `StoreError`, before it has changed anything, for the store of others
 * (another key, another number of shards) and for one that only newer releases may use.
 */
export async function migrate(database: SchemaDatabase, options: MigrateOptions): Promise<MigratedStore> {
  const schemaOid = (await findStore(database.query, options)) ?? (await makeStore(database, options));
  const store = await readStore(database.query);
  refuseNewer(store, options.release);
  refuse(refusalOfSettings(store, options));
  for (const step of STEPS) {
    if (step.migration.version > store.version) await performStep(database, step, options);
  }
  if (store.keyCheck === null && options.keyCheck !== null) await addKey(database.query, options);
  return { schemaOid, mcpKey: new Uint8Array(Buffer.from(store.mcpKey, 'base64')) };
}

/** The oldest release that may run on the store as it is now: a replica looks now and then whether it still may. */
export async function readOldestRelease(query: Query): Promise<string> {
  const [store = {}] = await query(READ_OLDEST_RELEASE);
  return textOf(store, 'oldest_release');
}

/** The oid of the schema; null: it is not there, or has no store in it. */
async function findStore(query: Query, { schema }: MigrateOptions): Promise<number | null> {
  const schemaOid = await findSchema(query, schema);
  if (schemaOid === null) return null;
  const [store] = await query(FIND_STORE, [schemaOid]);
  return store === undefined ? null : schemaOid;
}

async function findSchema(query: Query, schema: string): Promise<number | null> {
  const [found] = await query(FIND_SCHEMA, [schema]);
  return found === undefined ? null : numberOf(found, 'schema_oid');
}

function makeStore(database: SchemaDatabase, options: MigrateOptions): Promise<number> {
  const { schema, release, shardCount, keyCheck } = options;
  return changeSchema(database, options, async (query, script) => {
    const known = await findStore(query, options);
    if (known !== null) return known;
    // IF NOT EXISTS would need the right to create one also where there is one.
    if ((await findSchema(query, schema)) === null) await script(`CREATE SCHEMA "${schema}"`);
    await script(CREATE_STORE);
    await query(INSERT_STORE, [release, shardCount, keyCheck, randomBytes(KEY_BYTES).toString('base64')]);
    // At once: where another program has tables of these names there, nothing of ours is left in its schema.
    for (const step of STEPS) await takeStep(query, script, step);
    const schemaOid = await findSchema(query, schema);
    if (schemaOid === null)
      throw new StoreError('The schema was dropped while it was made: start the service again');
    return schemaOid;
  });
}

async function readStore(query: Query): Promise<StoreRow> {
  const [store] = await query(READ_STORE);
  if (store === undefined) {
    throw new StoreError(
      'The table store in the schema is empty: restore the database from a backup, or drop the schema',
      {
        permanent: true,
      },
    );
  }
  return {
    version: numberOf(store, 'schema_version'),
    oldestRelease: textOf(store, 'oldest_release'),
    shardCount: numberOf(store, 'shard_count'),
    keyCheck: textOrNull(store, 'key_check'),
    mcpKey: textOf(store, 'mcp_key'),
  };
}

/** A newer schema that this release may still use is one of a rolling upgrade: its replicas may also start again. */
function refuseNewer({ version, oldestRelease }: StoreRow, release: string): void {
  if (version <= SCHEMA_VERSION || !isOlderRelease(release, oldestRelease)) return;
  throw new StoreError(
    `The schema of the store is of a newer version (${version}; this one knows ${SCHEMA_VERSION}): start release ` +
      `${oldestRelease} or later, or restore the backup from before the upgrade`,
    { permanent: true },
  );
}

function performStep(database: SchemaDatabase, step: Step, patience: Patience): Promise<void> {
  return changeSchema(database, patience, async (query, script) => {
    const { version } = await readStore(query);
    if (version < step.migration.version) await takeStep(query, script, step);
  });
}

async function takeStep(
  query: Query,
  script: Script,
  { migration, oldestRelease, afterwards }: Step,
): Promise<void> {
  await script(migration.sql);
  await afterwards?.(query, script);
  await query(ENTER_STEP, [migration.version, oldestRelease]);
}

/** From now on the others must have the key, too. Two replicas with two new keys: the second is refused. */
async function addKey(query: Query, options: MigrateOptions): Promise<void> {
  await query(ADD_KEY, [options.keyCheck]);
  refuse(refusalOfSettings(await readStore(query), options));
}
