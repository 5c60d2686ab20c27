import type { Columns, Query } from './database.js';
import {
  areSessionsSwapped,
  keyCheckOf,
  refusalOfRights,
  refusalOfServer,
  refusalOfSettings,
  type ServerFacts,
} from './refusals.js';

const GOOD: ServerFacts = {
  versionNumber: 150_004,
  version: '15.4 (Debian 15.4-1)',
  encoding: 'UTF8',
  isStandby: false,
  fsync: 'on',
  synchronousCommit: 'on',
  synchronousCommitSource: 'default',
  isolation: 'read committed',
  isReadOnly: 'off',
  floatDigits: 1,
  jit: 'off',
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 8_000,
};

const DIRECT = { durability: 'verified', isPooled: false } as const;
const POOLED = { durability: 'verified', isPooled: true } as const;
const ELSEWHERE = { durability: 'elsewhere', isPooled: false } as const;

describe('a server', () => {
  it.each([DIRECT, POOLED, ELSEWHERE])('is taken with %p', (how) => {
    expect(refusalOfServer(GOOD, how)).toBeNull();
    expect(refusalOfServer({ ...GOOD, synchronousCommit: 'remote_apply' }, how)).toBeNull();
  });

  it.each<[string, Partial<ServerFacts>]>([
    ['PostgreSQL 14.9 is too old: use version 15', { versionNumber: 140_009, version: '14.9' }],
    ["The encoding of the database is SQL_ASCII: create one with ENCODING 'UTF8'", { encoding: 'SQL_ASCII' }],
    ['The database is a standby, which only reads: give the URL of the primary', { isStandby: true }],
    ['fsync is off', { fsync: 'off' }],
    [
      'synchronous_commit is off',
      { synchronousCommit: 'off', synchronousCommitSource: 'configuration file' },
    ],
    ['synchronous_commit is off', { synchronousCommit: 'off', synchronousCommitSource: 'command line' }],
  ])('is refused: %s', (sentence, changes) => {
    for (const how of [DIRECT, POOLED])
      expect(refusalOfServer({ ...GOOD, ...changes }, how)).toContain(sentence);
  });

  it('may be as durable as the platform says', () => {
    const facts = {
      ...GOOD,
      fsync: 'off',
      synchronousCommit: 'off',
      synchronousCommitSource: 'configuration file',
    };
    expect(refusalOfServer(facts, ELSEWHERE)).toBeNull();
    expect(refusalOfServer(facts, DIRECT)).toContain('FLOWGATE_DATABASE_DURABLE=elsewhere');
  });

  it.each<[string, Partial<ServerFacts>]>([
    ['synchronous_commit', { synchronousCommit: 'off', synchronousCommitSource: 'user' }],
    ['default_transaction_isolation', { isolation: 'serializable' }],
    ['default_transaction_read_only', { isReadOnly: 'on' }],
    ['extra_float_digits', { floatDigits: 0 }],
    ['jit', { jit: 'on' }],
    ['statement_timeout', { statementTimeoutMs: 0 }],
    ['statement_timeout', { statementTimeoutMs: 60_000 }],
    ['lock_timeout', { lockTimeoutMs: 0 }],
  ])('may have a role with another %s, but not behind a pooler, where that would hold', (name, changes) => {
    expect(refusalOfServer({ ...GOOD, ...changes }, DIRECT)).toBeNull();
    expect(refusalOfServer({ ...GOOD, ...changes }, POOLED)).toContain(name);
  });

  it('says all that a role lacks behind a pooler at once', () => {
    expect(refusalOfServer({ ...GOOD, jit: 'on', lockTimeoutMs: 0 }, POOLED)).toMatch(
      /: run ALTER ROLE … SET jit = 'off'; ALTER ROLE … SET lock_timeout = '8s'$/,
    );
  });
});

/** Connections to sessions: `session` says which one a statement of that connection comes to. */
function connections(session: (connection: number, statement: number) => number): readonly [Query, Query] {
  const marks = new Map<number, unknown>();
  const connection = (number: number): Query => {
    let statement = 0;
    return (sql, values = []) => {
      const pid = session(number, statement++);
      if (sql.includes('set_config')) marks.set(pid, values[0]);
      return Promise.resolve([{ pid, mark: marks.get(pid) ?? null }]);
    };
  };
  return [connection(1), connection(2)];
}

describe('sessions', () => {
  it.each<[string, boolean, (connection: number, statement: number) => number]>([
    ['each of one connection', false, (connection) => connection],
    ['one for both connections', true, () => 1],
    ['another for each statement', true, (connection, statement) => connection * 100 + statement],
    ['swapped in the end', true, (connection, statement) => (statement < 7 ? connection : 3 - connection)],
  ])('are %s: swapped is %p', async (_what, isSwapped, session) => {
    expect(await areSessionsSwapped(...connections(session))).toBe(isSwapped);
  });
});

describe('the rights of a role', () => {
  const asked = (changes: Columns, schema = 'flowgate'): Promise<string | null> => {
    const rights = {
      role: 'plain',
      may_create_schema: false,
      schema_oid: 4_711,
      may_use_schema: true,
      other_owner: null,
      ...changes,
    };
    return refusalOfRights(() => Promise.resolve([rights]), schema);
  };

  it('suffice when it may use the schema that there is, or create one', async () => {
    expect(await asked({})).toBeNull();
    expect(await asked({ schema_oid: null, may_use_schema: null, may_create_schema: true })).toBeNull();
  });

  it.each<[string, Columns]>([
    ['CREATE SCHEMA "flowgate" AUTHORIZATION "plain"', { schema_oid: null, may_use_schema: null }],
    ['ALTER SCHEMA "flowgate" OWNER TO "plain"', { may_use_schema: false }],
    ['belong to the role "other":', { other_owner: 'other' }],
  ])('do not suffice otherwise: %s', async (sentence, changes) => {
    expect(await asked(changes)).toContain(sentence);
  });

  it('are given to the role and the schema of just these names by the statement to run', async () => {
    const role = 'My-app"; DROP ROLE admin; --';
    const quoted = '"My-app""; DROP ROLE admin; --"';
    expect(await asked({ role, schema_oid: null }, 'FlowGate')).toContain(
      `run CREATE SCHEMA "FlowGate" AUTHORIZATION ${quoted} as an administrator`,
    );
    expect(await asked({ role, may_use_schema: false }, 'FlowGate')).toContain(
      `run ALTER SCHEMA "FlowGate" OWNER TO ${quoted} as an administrator`,
    );
  });
});

describe('what all replicas must have alike', () => {
  const key = (byte: number) => keyCheckOf(new Uint8Array(32).fill(byte));
  const stored = { shardCount: 64, keyCheck: key(1) };

  it('is the number of shards and the key', () => {
    expect(refusalOfSettings(stored, { ...stored })).toBeNull();
    expect(refusalOfSettings(stored, { ...stored, shardCount: 32 })).toContain('set it to 64');
    expect(refusalOfSettings(stored, { ...stored, keyCheck: key(2) })).toContain(
      'encrypted with another key',
    );
    expect(refusalOfSettings(stored, { ...stored, keyCheck: null })).toContain('has no key');
  });

  it('may get a key later', () => {
    expect(refusalOfSettings({ ...stored, keyCheck: null }, stored)).toBeNull();
  });

  it('tells keys apart without holding them', () => {
    expect([key(1) === key(1), key(1) === key(2), keyCheckOf(null)]).toEqual([true, false, null]);
    expect(key(1)).toMatch(/^[\w-]{43}$/);
  });
});
