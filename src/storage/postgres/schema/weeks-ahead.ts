import { booleanOf, numberOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { sqlStateOf } from '../database/postgres-fault.js';
import { changeSchema, SchemaBusyError, type SchemaDatabase } from '../database/schema-database.js';
import {
  compressTexts,
  defaultPartitionOf,
  PARTITIONED_TABLES,
  partitionOf,
  weeksOf,
  type PartitionedTable,
} from './partitioned-tables.js';
import { WEEK_MS, weeksFrom, type Week } from './weeks.js';

/** This week and the next two: whatever holds a change up, be it a long dump, has a week and more to come to an end. */
const WEEKS_AHEAD = 3;
/** More rows than these are not moved out of the default partition: the week stays there, and is purged row by row. */
const MAX_MOVED_ROWS = 10_000;
/** A default partition of more bytes is not looked through under a lock, if that can be avoided. */
const MAX_SCANNED_BYTES = 4 * 1024 * 1024;
/** What a statement may take once the change has locks that others wait for. */
const UNDER_LOCK_MS = 100;
/** What it may wait for a second lock while it has the first. */
const SECOND_LOCK_MS = 20;
const PATIENCE_MS = 3_000;
/** A week that begins within this is one of the next look, or of the one after it. */
const SOON_MS = 2 * 86_400_000;
const LET_IN_PATIENCE_MS = 60_000;

const QUERY_CANCELED = '57014';
const CHECK_VIOLATION = '23514';

/**
 * Makes the partitions of this week and the next two where they are missing. Appends go through meanwhile: none of them waits for
 * a lock of ours for longer than 100 ms. False: some could not be made now, and another try may do it; until then the default
 * partition takes their rows. `now`: epoch ms by the database's clock.
 */
export async function makeWeeksAhead(
  database: SchemaDatabase,
  now: number,
  signal: AbortSignal | null,
): Promise<boolean> {
  let isComplete = true;
  for (const table of PARTITIONED_TABLES) {
    const made = new Set((await weeksOf(database.query, table)).map(({ name }) => name));
    for (const week of weeksFrom(now, WEEKS_AHEAD)) {
      if (made.has(week.name)) continue;
      isComplete = (await makeWeek(database, { table, week, now, signal })) && isComplete;
    }
  }
  return isComplete;
}

interface WeekToMake {
  readonly table: PartitionedTable;
  readonly week: Week;
  readonly now: number;
  readonly signal: AbortSignal | null;
}

async function makeWeek(database: SchemaDatabase, making: WeekToMake): Promise<boolean> {
  const { table, week, now } = making;
  const { rows, bytes, isKeptOut, isKnown } = await readDefault(database.query, table, week);
  if (rows > MAX_MOVED_ROWS) return true;
  try {
    // Whether its partition can be made now or not: when it begins, its rows must have a place.
    if (isKeptOut && week.startMs <= now + SOON_MS) await letIntoDefault(database, making);
    const isFarAhead = week.startMs > now + WEEK_MS;
    if (bytes > MAX_SCANNED_BYTES && rows === 0 && isFarAhead && !isKnown)
      await keepOutOfDefault(database, making);
    await attachWeek(database, making);
    return true;
  } catch (error) {
    const code = sqlStateOf(error);
    // Others were in the way, or it took too long under its locks, or rows of the week were there after all.
    if (error instanceof SchemaBusyError || code === QUERY_CANCELED || code === CHECK_VIOLATION) return false;
    throw error;
  }
}

/**
 * How many rows the default partition has of the week, to one more than may be moved; its size without large texts; whether it
 * takes none of the week, and whether it is known of all its rows that they are of others.
 */
async function readDefault(
  query: Query,
  table: PartitionedTable,
  week: Week,
): Promise<{
  readonly rows: number;
  readonly bytes: number;
  readonly isKeptOut: boolean;
  readonly isKnown: boolean;
}> {
  const other = defaultPartitionOf(table);
  const [found = {}] = await query(
    `SELECT
      pg_catalog.pg_relation_size('@.${other}'::regclass) AS size,
      (
        SELECT count(*) FROM (
          SELECT run_id FROM @.${other} WHERE run_id >= $1::uuid AND run_id < $2::uuid
          ORDER BY run_id LIMIT ${MAX_MOVED_ROWS + 1}
        ) AS found
      ) AS row_count,
      made.conname IS NOT NULL AS is_kept_out, coalesce(made.convalidated, false) AS is_known
    FROM (SELECT 1) AS one LEFT JOIN pg_catalog.pg_constraint AS made
      ON made.conrelid = '@.${other}'::regclass AND made.conname = $3::name`,
    [week.fromId, week.toId, constraintOf(week)],
  );
  return {
    rows: numberOf(found, 'row_count'),
    bytes: numberOf(found, 'size'),
    isKeptOut: booleanOf(found, 'is_kept_out'),
    isKnown: booleanOf(found, 'is_known'),
  };
}

/**
 * Has a large default partition say beforehand that it holds none of the week, so that it is not looked through under a lock.
 * Until the week's partition is there, an id of that week is refused: nobody makes one for a week to come.
 */
async function keepOutOfDefault(
  database: SchemaDatabase,
  { table, week, signal }: WeekToMake,
): Promise<void> {
  const other = defaultPartitionOf(table);
  const patience = { patienceMs: PATIENCE_MS, signal };
  const constraint = constraintOf(week);
  await changeSchema(database, patience, (_query, script) =>
    script(`
      ALTER TABLE @.${other} DROP CONSTRAINT IF EXISTS ${constraint};
      ALTER TABLE @.${other} ADD CONSTRAINT ${constraint}
        CHECK (run_id < '${week.fromId}' OR run_id >= '${week.toId}') NOT VALID`),
  );
  // It looks through the table under a lock that lets reads and writes pass.
  await changeSchema(database, patience, (_query, script) =>
    script(`ALTER TABLE @.${other} VALIDATE CONSTRAINT ${constraint}`),
  );
}

/** Without that no run could start once the week begins: worth more patience than a partition is. */
async function letIntoDefault(database: SchemaDatabase, { table, week, signal }: WeekToMake): Promise<void> {
  await changeSchema(database, { patienceMs: LET_IN_PATIENCE_MS, signal }, (_query, script) =>
    script(`ALTER TABLE @.${defaultPartitionOf(table)} DROP CONSTRAINT IF EXISTS ${constraintOf(week)}`),
  );
}

function constraintOf({ name }: Week): string {
  return `none_of_${name}`;
}

/**
 * Rows of the week move in the transaction that attaches its partition: no reader misses one, or sees it twice. A reader that is
 * being planned looks first which partitions there are, and waits for their locks after that: it has to wait for the table itself,
 * or it would read the default partition without the rows, and not the new one.
 */
async function attachWeek(database: SchemaDatabase, { table, week, signal }: WeekToMake): Promise<void> {
  const partition = partitionOf(table, week);
  const other = defaultPartitionOf(table);
  const move = `
    WITH moved AS (
      DELETE FROM @.${other} WHERE run_id >= $1::uuid AND run_id < $2::uuid RETURNING *
    )
    INSERT INTO @.${partition} SELECT * FROM moved`;
  await changeSchema(database, { patienceMs: PATIENCE_MS, signal }, async (query, script) => {
    if ((await weeksOf(query, table)).some(({ name }) => name === week.name)) return;
    await script(`CREATE TABLE @.${partition} (LIKE @.${table.table} INCLUDING ALL)`);
    await compressTexts(query, script, partition, table);
    await query(move, [week.fromId, week.toId]);
    // From here on everybody waits.
    await script(`
      LOCK TABLE ONLY @.${table.table} IN ACCESS EXCLUSIVE MODE;
      SET LOCAL lock_timeout = ${SECOND_LOCK_MS};
      LOCK TABLE @.${other} IN ACCESS EXCLUSIVE MODE;
      SET LOCAL statement_timeout = ${UNDER_LOCK_MS}`);
    // What came meanwhile.
    await query(move, [week.fromId, week.toId]);
    await script(`
      ALTER TABLE @.${table.table} ATTACH PARTITION @.${partition}
        FOR VALUES FROM ('${week.fromId}') TO ('${week.toId}');
      ALTER TABLE @.${other} DROP CONSTRAINT IF EXISTS ${constraintOf(week)}`);
  });
}
