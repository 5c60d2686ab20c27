import { createHmac } from 'node:crypto';
import { StoreError } from '../../../errors/service-errors.js';
import { booleanOf, numberOf, numberOrNull, textOf, textOrNull } from './columns.js';
import type { Query } from './database.js';
import { sqlStateOf } from './postgres-fault.js';
import { QUERY_TIMEOUT_MS, type Durability } from './session-settings.js';

const OLDEST_VERSION = 150_000;
const READ_COMMITTED = 'read committed';
/** Of a statement, and of a lock: less would end what is only busy. */
const SHORTEST_LIMIT_MS = 1_000;

/** What a server is and has set, for a session that has its role's settings. */
export interface ServerFacts {
  /** `150004` is 15.4. */
  readonly versionNumber: number;
  readonly version: string;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly fsync: string;
  readonly synchronousCommit: string;
  /** Where that comes from: `configuration file`, `user`, `database` and so on, in pg_settings. */
  readonly synchronousCommitSource: string;
  readonly isolation: string;
  readonly isReadOnly: string;
  readonly floatDigits: number;
  readonly jit: string;
  /** 0: none. */
  readonly statementTimeoutMs: number;
  /** 0: none. */
  readonly lockTimeoutMs: number;
}

const READ_FACTS = `
  SELECT
    pg_catalog.current_setting('server_version_num')::integer AS version_number,
    pg_catalog.current_setting('server_version') AS version,
    pg_catalog.current_setting('server_encoding') AS encoding,
    pg_catalog.pg_is_in_recovery() AS is_standby,
    pg_catalog.current_setting('fsync') AS fsync,
    pg_catalog.current_setting('synchronous_commit') AS synchronous_commit,
    (SELECT source FROM pg_catalog.pg_settings WHERE name = 'synchronous_commit') AS synchronous_commit_source,
    pg_catalog.current_setting('default_transaction_isolation') AS isolation,
    pg_catalog.current_setting('default_transaction_read_only') AS is_read_only,
    pg_catalog.current_setting('extra_float_digits')::integer AS float_digits,
    pg_catalog.current_setting('jit') AS jit,
    (SELECT setting::integer FROM pg_catalog.pg_settings WHERE name = 'statement_timeout') AS statement_timeout_ms,
    (SELECT setting::integer FROM pg_catalog.pg_settings WHERE name = 'lock_timeout') AS lock_timeout_ms`;

export async function readServerFacts(query: Query): Promise<ServerFacts> {
  const [facts = {}] = await query(READ_FACTS);
  return {
    versionNumber: numberOf(facts, 'version_number'),
    version: textOf(facts, 'version'),
    encoding: textOf(facts, 'encoding'),
    isStandby: booleanOf(facts, 'is_standby'),
    fsync: textOf(facts, 'fsync'),
    synchronousCommit: textOf(facts, 'synchronous_commit'),
    synchronousCommitSource: textOrNull(facts, 'synchronous_commit_source') ?? '',
    isolation: textOf(facts, 'isolation'),
    isReadOnly: textOf(facts, 'is_read_only'),
    floatDigits: numberOf(facts, 'float_digits'),
    jit: textOf(facts, 'jit'),
    statementTimeoutMs: numberOf(facts, 'statement_timeout_ms'),
    lockTimeoutMs: numberOf(facts, 'lock_timeout_ms'),
  };
}

/** Settings that whoever runs the server has made, and not the role or the database: ours do not go over these. */
const OF_THE_SERVER = new Set(['configuration file', 'command line', 'environment variable', 'global']);

/**
 * Why no runs can be kept there; null: they can. `isPooled`: a pooler swaps sessions, so that the settings of the role are the
 * ones that hold; else each session has its own.
 */
export function refusalOfServer(
  facts: ServerFacts,
  { durability, isPooled }: { readonly durability: Durability; readonly isPooled: boolean },
): string | null {
  const { versionNumber, version, encoding, isStandby } = facts;
  if (versionNumber < OLDEST_VERSION) return `PostgreSQL ${version} is too old: use version 15 or later`;
  if (encoding !== 'UTF8')
    return `The encoding of the database is ${encoding}: create one with ENCODING 'UTF8'`;
  if (isStandby) return 'The database is a standby, which only reads: give the URL of the primary';
  if (durability === 'verified') {
    const refusal = refusalOfDurability(facts, isPooled);
    if (refusal !== null) return refusal;
  }
  return isPooled ? refusalBehindPooler(facts) : null;
}

const ELSEWHERE =
  'or, where the platform makes commits durable by other means, set FLOWGATE_DATABASE_DURABLE=elsewhere (durability in code)';

function refusalOfDurability(facts: ServerFacts, isPooled: boolean): string | null {
  const { fsync, synchronousCommit, synchronousCommitSource } = facts;
  if (fsync === 'off') {
    return `fsync is off on the server, so that a power cut loses what was acknowledged: set it on, ${ELSEWHERE}`;
  }
  if (synchronousCommit === 'off' && (isPooled || OF_THE_SERVER.has(synchronousCommitSource))) {
    return `synchronous_commit is off, so that a crash of the server loses what was acknowledged: set it on, ${ELSEWHERE}`;
  }
  return null;
}

/**
 * What a statement by itself has to have there. One that is never ended holds its locks for as long as its client has given it up, and
 * one that is compiled first takes many times as long.
 */
function refusalBehindPooler(facts: ServerFacts): string | null {
  const { isolation, isReadOnly, floatDigits, jit, statementTimeoutMs, lockTimeoutMs } = facts;
  const isBounded = (ms: number): boolean => ms >= SHORTEST_LIMIT_MS && ms <= QUERY_TIMEOUT_MS;
  const needed = [
    ...(isolation === READ_COMMITTED ? [] : [`default_transaction_isolation = '${READ_COMMITTED}'`]),
    ...(isReadOnly === 'off' ? [] : [`default_transaction_read_only = 'off'`]),
    ...(floatDigits >= 1 ? [] : [`extra_float_digits = '1'`]),
    ...(jit === 'off' ? [] : [`jit = 'off'`]),
    ...(isBounded(statementTimeoutMs) ? [] : [`statement_timeout = '10s'`]),
    ...(isBounded(lockTimeoutMs) ? [] : [`lock_timeout = '8s'`]),
  ];
  if (needed.length === 0) return null;
  const statements = needed.map((setting) => `ALTER ROLE … SET ${setting}`).join('; ');
  return `Behind a pooler the settings of the role hold, and some are not as they must be: run ${statements}`;
}

/** How often it is looked whether sessions are swapped: a pooler that has many may give the same one by chance. */
const SWAP_LOOKS = 5;

const SET_MARK = `
  SELECT pg_catalog.set_config('flowgate.session', $1, false) AS mark, pg_catalog.pg_backend_pid() AS pid`;
const READ_MARK = `
  SELECT pg_catalog.current_setting('flowgate.session', true) AS mark, pg_catalog.pg_backend_pid() AS pid`;

/**
 * Two connections must be two sessions, each of which keeps what was set in it. A pooler that swaps sessions (`transaction` or
 * `statement` mode) gives both the same one while it has nothing else to do, and another one later.
 */
export async function areSessionsSwapped(first: Query, second: Query): Promise<boolean> {
  for (let look = 0; look < SWAP_LOOKS; look++) {
    const [one = {}] = await first(SET_MARK, [`first ${look}`]);
    const [other = {}] = await second(SET_MARK, [`second ${look}`]);
    const [oneAgain = {}] = await first(READ_MARK);
    const [otherAgain = {}] = await second(READ_MARK);
    const isKept =
      one['pid'] !== other['pid'] &&
      one['pid'] === oneAgain['pid'] &&
      other['pid'] === otherAgain['pid'] &&
      one['mark'] === oneAgain['mark'] &&
      other['mark'] === otherAgain['mark'];
    if (!isKept) return true;
  }
  await Promise.all([first, second].map((query) => query(SET_MARK, [''])));
  return false;
}

/** What PgBouncer says against a BEGIN. A transaction that is under way is ended with the connection. */
const PROTOCOL_VIOLATION = '08P01';

/** Why a pooler cannot be used even next to a session URL; null: transactions stay together. */
export async function refusalOfPoolMode(query: Query): Promise<string | null> {
  try {
    await query('BEGIN');
    await query('COMMIT');
    return null;
  } catch (error) {
    if (sqlStateOf(error) !== PROTOCOL_VIOLATION) throw error;
    return 'The pooler allows no transactions (pool_mode = statement): set it to transaction, or give the URL of the database itself';
  }
}

const READ_PLACE = `
  SELECT
    (SELECT oid::bigint FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()) AS database,
    extract(epoch FROM pg_catalog.pg_postmaster_start_time())::text AS started`;

/** Locks that are taken in one database say nothing in another. */
export async function areInOneDatabase(first: Query, second: Query): Promise<boolean> {
  const [one = {}] = await first(READ_PLACE);
  const [other = {}] = await second(READ_PLACE);
  return one['database'] === other['database'] && one['started'] === other['started'];
}

const READ_RIGHTS = `
  SELECT
    current_user::text AS role,
    pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE') AS may_create_schema,
    space.oid::bigint AS schema_oid,
    pg_catalog.has_schema_privilege(space.oid, 'USAGE')
      AND pg_catalog.has_schema_privilege(space.oid, 'CREATE') AS may_use_schema,
    (
      SELECT pg_catalog.pg_get_userbyid(made.relowner)::text FROM pg_catalog.pg_class AS made
      WHERE made.relnamespace = space.oid AND made.relname IN ('store', 'runs', 'log', 'states')
        AND NOT pg_catalog.pg_has_role(made.relowner, 'USAGE')
      LIMIT 1
    ) AS other_owner
  FROM (SELECT 1) AS one
  LEFT JOIN pg_catalog.pg_namespace AS space ON space.nspname = $1::name`;

/** Whether this role may make, use and change the schema; else what to do. `name`: the schema, as it is in the catalog. */
export async function refusalOfRights(query: Query, name: string): Promise<string | null> {
  const [rights = {}] = await query(READ_RIGHTS, [name]);
  const schema = identifier(name);
  const role = identifier(textOf(rights, 'role'));
  if (numberOrNull(rights, 'schema_oid') === null) {
    if (booleanOf(rights, 'may_create_schema')) return null;
    return `The role ${role} may not create the schema ${schema}: run CREATE SCHEMA ${schema} AUTHORIZATION ${role} as an administrator`;
  }
  const otherOwner = textOrNull(rights, 'other_owner');
  if (otherOwner !== null) {
    return `The tables of the schema ${schema} belong to the role ${identifier(otherOwner)}: connect as it, or make ${role} their owner`;
  }
  if (booleanOf(rights, 'may_use_schema')) return null;
  return `The role ${role} may not use the schema ${schema}: run ALTER SCHEMA ${schema} OWNER TO ${role} as an administrator`;
}

/** As a statement has it that means just this name, whatever is in it: an administrator runs what is advised as it stands. */
function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What every replica must have alike, as the store's row has it. */
export interface SharedSettings {
  readonly shardCount: number;
  /** Null: nothing is encrypted. */
  readonly keyCheck: string | null;
}

/** Tells one key from another and gives away neither. */
export function keyCheckOf(encryptionKey: Uint8Array | null): string | null {
  if (encryptionKey === null) return null;
  return createHmac('sha256', encryptionKey).update('flowgate/postgres/key-check').digest('base64url');
}

/** A key that comes later is none of another: what was stored before it stays readable. */
export function refusalOfSettings(stored: SharedSettings, own: SharedSettings): string | null {
  if (stored.shardCount !== own.shardCount) {
    return `The store has ${stored.shardCount} shards, and this replica is set to ${own.shardCount}: set it to ${stored.shardCount}`;
  }
  if (stored.keyCheck === null || stored.keyCheck === own.keyCheck) return null;
  return own.keyCheck === null
    ? 'What is stored is encrypted, and this replica has no key: start it with the FLOWGATE_ENCRYPTION_KEY of the others'
    : 'What is stored is encrypted with another key: start with the FLOWGATE_ENCRYPTION_KEY it was stored with';
}

/** Throws a `StoreError` with the sentence; null: nothing is refused. */
export function refuse(refusal: string | null): void {
  if (refusal !== null) throw new StoreError(refusal, { permanent: true });
}
