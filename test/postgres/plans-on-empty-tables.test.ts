import type { AppendRequest } from '../../src/engine/ports/store/append.js';
import {
  endedRow,
  NOON,
  sampleAppend,
  sampleKey,
  sampleRow,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { appendOf } from '../../src/storage/postgres/append/append-rows.js';
import { findWritten } from '../../src/storage/postgres/append/write-appends.js';
import { appendStatement } from '../../src/storage/postgres/append/append-statement.js';
import type { Database, Query, SqlValue } from '../../src/storage/postgres/database/database.js';
import { sessionSettings } from '../../src/storage/postgres/database/session-settings.js';
import { listChildren, listDue, listUnfinished } from '../../src/storage/postgres/lists/list-runs.js';
import { LEAST_ID } from '../../src/storage/postgres/lists/run-ids.js';
import { countAfter } from '../../src/storage/postgres/log/count-after.js';
import { readFamilyLog } from '../../src/storage/postgres/log/family-log.js';
import { LastPosition } from '../../src/storage/postgres/log/last-position.js';
import { purgePiece } from '../../src/storage/postgres/purge/purge-ended.js';
import { readAll } from '../../src/storage/postgres/log/read-all.js';
import { readChanges } from '../../src/storage/postgres/log/read-changes.js';
import { readEvents } from '../../src/storage/postgres/runs/read-events.js';
import { load } from '../../src/storage/postgres/runs/read-run.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';
import { connect, type PlainConnection } from './support/server.js';

/** Enough that to read all of them takes many times what an append does. */
const RUNS = 100_000;
/** So few that to read all of them is as good a plan as any. */
const FEW = 60;

/** Runs of these numbers, which no other has. */
const filled = (first: number, last: number): readonly string[] => [
  `INSERT INTO @.runs (run_id, shard_byte, namespace, workflow_id, definition_hash, status, created_at, updated_at,
      ended_at, open_executions, wake_at, last_seq, last_position, origin, is_cancelled)
    SELECT gen_random_uuid(), i % 256, 'other', 'w', 'h', 'running', i, i, CASE WHEN i % 4 = 0 THEN i END,
      CASE WHEN i % 4 = 1 THEN 1 ELSE 0 END, CASE WHEN i % 4 = 2 THEN i END, 2, i, 'client', false
    FROM generate_series(${first}, ${last}) AS i`,
  `INSERT INTO @.log (run_id, last_seq, first_seq, position, at, events)
    SELECT run_id, 2, 1, last_position, 1, '[]' FROM @.runs WHERE namespace = 'other' AND created_at >= ${first}`,
  `INSERT INTO @.states (run_id, seq, state_version, state)
    SELECT run_id, 2, 1, '{}' FROM @.runs WHERE namespace = 'other' AND created_at >= ${first}`,
  `INSERT INTO @.idempotency (scope, key, fingerprint, run_id)
    SELECT 'start:other', run_id::text, 'f', run_id FROM @.runs WHERE namespace = 'other' AND created_at >= ${first}`,
  `INSERT INTO @.family_log (position, run_id)
    SELECT last_position, run_id FROM @.runs WHERE namespace = 'other' AND created_at >= ${first} AND last_position % 4 = 3`,
];

const GATE = { gateId: 1, unitId: 'sign', openedAt: NOON };
let next = 0;
const newId = (): string => sampleRunId((next += 1));

const start = (changes: Parameters<typeof sampleAppend>[1] = {}): AppendRequest =>
  sampleAppend(newId(), changes);

/** What is in a statement: moves are of runs that were started before. */
const KINDS: Readonly<Record<string, (runIds: readonly string[]) => readonly AppendRequest[]>> = {
  starts: (runIds) => runIds.map(() => start()),
  moves: (runIds) => runIds.map((runId) => sampleAppend(runId, { expectedSeq: 2 })),
  both: (runIds) => [start(), ...runIds.map((runId) => sampleAppend(runId, { expectedSeq: 2 }))],
  ends: (runIds) =>
    runIds.map((runId) => sampleAppend(runId, { expectedSeq: 2, row: endedRow(runId, NOON), openGates: [] })),
  everything: (runIds) => [
    start({ idempotency: [sampleKey(sampleRunId(next + 1), { key: `${next}` })], labels: { a: 'b' } }),
    sampleAppend(newId(), {
      row: sampleRow(sampleRunId(next), { origin: 'fork', forkedFrom: sampleRunId(1) }),
    }),
    ...runIds.map((runId) =>
      sampleAppend(runId, {
        expectedSeq: 2,
        openGates: [GATE],
        storedState: { seq: 400, stateVersion: 1, state: {} },
        concernsFamily: true,
      }),
    ),
  ],
};

const LIMIT = 20;
/** A follower's page: of rows that the server expects to be fewer, it is tempted to sort all that there are. */
const PAGE = 800;
const EVERY = { lanes: null, limit: LIMIT };
const PURGE = {
  endedBefore: NOON + 1,
  throughPosition: null,
  limit: LIMIT,
  after: { endedAt: 0, runId: LEAST_ID },
};

/** What is asked all the time, of tables that grow. */
const LOOKS: Readonly<Record<string, (database: Database, runId: string) => Promise<unknown>>> = {
  readAll: (database) => readAll(database, { afterPosition: 0, limit: PAGE }),
  readChanges: (database) => readChanges(database, { afterPosition: 0, limit: PAGE }),
  readFamilyLog: (database) => readFamilyLog(database, { afterPosition: 0, limit: PAGE }),
  countAfter: (database) => countAfter(database, { position: 0, atMost: LIMIT }),
  lastPosition: (database) => new LastPosition(database).read(),
  listUnfinished: ({ query }) => listUnfinished(query, { ...EVERY, afterRunId: null }),
  listDue: ({ query }) => listDue(query, { ...EVERY, before: NOON, after: null }),
  listChildren: ({ query }, runId) =>
    listChildren(query, { parentRunId: runId, afterRunId: null, limit: LIMIT }),
  load: ({ query }, runId) => load(query, { runId, atSeq: null }, () => undefined),
  readEvents: ({ query }, runId) => readEvents(query, { runId, afterSeq: 0, limit: LIMIT }),
  findWritten: ({ query }, runId) => findWritten(query, [appendOf(sampleAppend(runId))], 1_000),
  purge: (database) => purgePiece(database, { ...PURGE, atMost: LIMIT }),
};

interface Asked {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** The statements of a look. */
async function askedBy(look: string, runId: string): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const noting =
    (query: Query): Query =>
    (sql, values = []) => {
      if (!asked.some((one) => one.sql === sql)) asked.push({ sql, values });
      return query(sql, values);
    };
  const { database } = started;
  await LOOKS[look]!(
    {
      base: database.base,
      query: noting(database.query),
      transaction: (work) => database.transaction((query) => work(noting(query))),
      snapshot: (work) => database.snapshot((query) => work(noting(query))),
    },
    runId,
  );
  return asked;
}

let started: StartedDatabase;
let connection: PlainConnection;
/** The names of prepared statements, by their texts. */
const names = new Map<string, string>();

const textOf = (sql: string): string => sql.replaceAll('@.', `"${started.schema}".`);

/**
 * When the plans are made that are looked at: in a session that stays, on empty tables or on small ones that were analyzed, for any
 * values; or, once the tables have grown and nobody has analyzed them, for the very values.
 */
type Made = 'empty' | 'few' | 'grown';

async function begin(made: Made): Promise<void> {
  started = await startedDatabase();
  connection = await connect(started.url);
  names.clear();
  const session = { durability: 'verified', idleSessionMs: 0, hasPlansForAllValues: true } as const;
  await connection.query(sessionSettings(session));
  await started.sql('SET client_min_messages = error');
  for (const table of await tables())
    await started.sql(`ALTER TABLE @.${table} SET (autovacuum_enabled = off)`);
  if (made === 'few') {
    for (const sql of filled(1, FEW)) await started.sql(sql);
    for (const table of await tables()) await started.sql(`VACUUM ANALYZE @.${table}`);
  }
  for (const [kind, requests] of Object.entries(KINDS)) {
    const runIds = Array.from({ length: 3 }, newId);
    await perform(runIds.map((runId) => sampleAppend(runId)));
    await prepare(kind, appendStatement(requests(runIds).map(appendOf), 0));
  }
  for (const look of Object.keys(LOOKS)) {
    const runId = newId();
    await perform([sampleAppend(runId, { row: endedRow(runId, NOON) })]);
    for (const [index, asked] of (await askedBy(look, runId)).entries())
      await prepare(`${look} ${index}`, asked);
  }
  for (const sql of filled(FEW + 1, RUNS)) await started.sql(sql);
  if (made === 'grown') await connection.query('SET plan_cache_mode = force_custom_plan');
}

async function tables(): Promise<readonly string[]> {
  const rows = await started.sql(
    `SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r'`,
    [started.schema],
  );
  return rows.map(({ relname }) => String(relname));
}

/** The sixth execution may be the first with a plan that is kept: that is the worst case here, and forced. */
async function prepare(name: string, { sql, values }: Asked): Promise<void> {
  if (names.has(sql)) return;
  names.set(sql, name);
  await connection.query(`PREPARE "${name}" AS ${textOf(sql)}`);
  await connection.query('SET plan_cache_mode = force_generic_plan');
  await execute(name, values);
}

async function perform(requests: readonly AppendRequest[]): Promise<void> {
  const { sql, values } = appendStatement(requests.map(appendOf), 0);
  await connection.query(textOf(sql), values as unknown[]);
}

const literal = (value: unknown): string => {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) {
    const items = value.map((item) =>
      item === null ? 'NULL' : `"${String(item).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
    );
    return `'{${items.join(',').replaceAll("'", "''")}}'`;
  }
  return `'${String(value).replaceAll("'", "''")}'`;
};

const execute = (
  kind: string,
  values: readonly unknown[],
  how = '',
): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  connection.query(`${how} EXECUTE "${kind}" (${values.map(literal).join(', ')})`);

/** Performs the statement by that plan, and nothing of it stays. */
async function expectNoWholeTable({ sql, values }: Asked): Promise<void> {
  const name = names.get(sql);
  if (name === undefined) throw new Error(`It was not performed before: ${sql}`);
  await connection.query('BEGIN');
  const rows = await execute(name, values, 'EXPLAIN (ANALYZE, TIMING OFF)');
  await connection.query('ROLLBACK');
  const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
  expect(plan).not.toMatch(/Seq Scan on (runs|log|states|idempotency|registrations|family_log)/);
  expect(plan).not.toMatch(/hashed SubPlan/);
  // No index is read from end to end, either.
  const counts = plan.matchAll(
    /Scan.*\(actual rows=(\d+)|Rows Removed by (?:Filter|Join Filter|Index Recheck): (\d+)/g,
  );
  for (const [line, read, removed] of counts)
    expect([line, Number(read ?? removed) < RUNS / 50]).toEqual([line, true]);
}

describe.each([
  ['on empty tables', 'empty'],
  ['on small tables that were analyzed', 'few'],
  ['for its values, on tables that have grown', 'grown'],
] as const)('a plan that was made %s reads no whole table', (_name, made) => {
  beforeAll(() => begin(made), 120_000);
  afterAll(async () => {
    await connection?.end();
    await started?.dispose();
  });

  it.each(Object.keys(KINDS))('for an append of %s', async (kind) => {
    const runIds = Array.from({ length: LIMIT }, newId);
    await perform(runIds.map((runId) => sampleAppend(runId)));
    await expectNoWholeTable(appendStatement(KINDS[kind]!(runIds).map(appendOf), 0));
  });

  it.each(Object.keys(LOOKS))('for %s', async (look) => {
    const runId = newId();
    await perform([sampleAppend(runId, { row: endedRow(runId, NOON) })]);
    for (const asked of await askedBy(look, runId)) await expectNoWholeTable(asked);
  });
});
