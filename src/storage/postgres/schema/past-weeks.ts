import { setTimeout as delay } from 'node:timers/promises';
import { booleanOf, numberOf, textOrNull } from '../database/columns.js';
import type { Columns, Query } from '../database/database.js';
import { isStored } from '../database/look-up.js';
import { sqlStateOf } from '../database/postgres-fault.js';
import { changeSchema, SchemaBusyError, type SchemaDatabase } from '../database/schema-database.js';
import {
  defaultPartitionOf,
  PARTITIONED_TABLES,
  partitionOf,
  weeksOf,
  type PartitionedTable,
} from './partitioned-tables.js';
import { WEEK_MS, type Week } from './weeks.js';

/** Ids of a week are made for a little longer by a clock that is slow. */
const DROPPED_AFTER_MS = 86_400_000;
/** A week that some runs hold is given another one for them to end, or to be purged. */
const EMPTIED_AFTER_MS = DROPPED_AFTER_MS + WEEK_MS;
/** Stragglers: the rows of runs that are kept are fewer than one in so many. */
const ROWS_PER_KEPT_ROW = 100;

const SAMPLED_PAGES = 200;
const PAGE_BYTES = 8_192;
/** Each try may hold everybody up for the time of a lock: a few are enough. */
const PATIENCE_MS = 1_000;
/** What a statement may take once the change has a lock that everybody waits for. */
const UNDER_LOCK_MS = 100;
/** What it may wait for a second lock while it has that one. */
const SECOND_LOCK_MS = 20;

const ROWS_PER_BATCH = 5_000;
const PAUSE_MS = 10;
const NO_ID = '00000000-0000-0000-0000-000000000000';

const QUERY_CANCELED = '57014';

/** The index gives the first run of a week at once, where there is one. */
const FIRST_RUN = `
  SELECT EXISTS (
    SELECT FROM (
      SELECT run_id FROM @.runs WHERE run_id >= $1::uuid AND run_id < $2::uuid ORDER BY run_id LIMIT 1
    ) AS first
  ) AS has_runs`;

export interface Sweep {
  /** Epoch ms by the database's clock. */
  readonly now: number;
  /** When to stop, by the clock of `performance`. */
  readonly until: number;
  readonly signal: AbortSignal | null;
}

/**
 * Gives back what was purged. The log rows of a run that is not stored any more are nobody's: a week of which no run is left is
 * dropped, and one that stragglers hold is emptied of what is nobody's, in small batches; so is the default partition, which is
 * never dropped. A run's rows in `log` go after those in `states`. False: something was in the way, and another try may do it.
 */
export async function dropPastWeeks(database: SchemaDatabase, sweep: Sweep): Promise<boolean> {
  const { query } = database;
  let isComplete = true;
  for (const { week, tables } of await weeksThatAre(query)) {
    if (isOver(sweep)) break;
    if (week.endMs + DROPPED_AFTER_MS > sweep.now) continue;
    if (!(await hasRuns(query, week))) {
      if (await dropWeek(database, tables, week, sweep)) continue;
      isComplete = false;
      break;
    } else if (week.endMs + EMPTIED_AFTER_MS <= sweep.now && (await areHeldByStragglers(query, tables, week)))
      await emptyOfNobodys(
        query,
        tables.map((table) => partitionOf(table, week)),
        sweep,
      );
  }
  await emptyOfNobodys(query, PARTITIONED_TABLES.map(defaultPartitionOf), sweep);
  return isComplete;
}

interface WeekThatIs {
  readonly week: Week;
  /** Those that have a partition for it, in the order of `PARTITIONED_TABLES`. */
  readonly tables: readonly PartitionedTable[];
}

async function weeksThatAre(query: Query): Promise<readonly WeekThatIs[]> {
  const weeks = new Map<string, { readonly week: Week; readonly tables: PartitionedTable[] }>();
  for (const table of PARTITIONED_TABLES) {
    for (const week of await weeksOf(query, table)) {
      const known = weeks.get(week.name) ?? { week, tables: [] };
      weeks.set(week.name, known);
      known.tables.push(table);
    }
  }
  return [...weeks.values()];
}

function isOver({ until, signal }: Sweep): boolean {
  return signal?.aborted === true || performance.now() >= until;
}

async function hasRuns(query: Query, { fromId, toId }: Week): Promise<boolean> {
  const [found = {}] = await query(FIRST_RUN, [fromId, toId]);
  return booleanOf(found, 'has_runs');
}

/** One table after the other: the log stays where the states could not be dropped. */
async function dropWeek(
  database: SchemaDatabase,
  tables: readonly PartitionedTable[],
  week: Week,
  { signal }: Sweep,
): Promise<boolean> {
  try {
    for (const table of tables) await dropPartition(database, table, week, signal);
    return true;
  } catch (error) {
    if (error instanceof SchemaBusyError || sqlStateOf(error) === QUERY_CANCELED) return false;
    throw error;
  }
}

/**
 * Under the lock nobody appends, and whatever was appended before is seen: an import may have brought a run of the week since. Such
 * a lock waits for those who read, and everybody waits behind it: after 100 ms it gives up, and tries again later.
 */
function dropPartition(
  database: SchemaDatabase,
  table: PartitionedTable,
  week: Week,
  signal: AbortSignal | null,
): Promise<void> {
  return changeSchema(database, { patienceMs: PATIENCE_MS, signal }, async (query, script) => {
    if (!(await weeksOf(query, table)).some(({ name }) => name === week.name)) return;
    await script(`
      LOCK TABLE ONLY @.${table.table} IN ACCESS EXCLUSIVE MODE;
      SET LOCAL lock_timeout = ${SECOND_LOCK_MS};
      SET LOCAL statement_timeout = ${UNDER_LOCK_MS}`);
    if (await hasRuns(query, week)) return;
    await script(`DROP TABLE @.${partitionOf(table, week)}`);
  });
}

/**
 * Where many of its runs are kept, rows are left alone: what they take is freed with the week. The log says it for all tables, since
 * every run has rows there.
 */
async function areHeldByStragglers(
  query: Query,
  tables: readonly PartitionedTable[],
  week: Week,
): Promise<boolean> {
  const log = tables.at(-1);
  if (log === undefined) return false;
  const partition = partitionOf(log, week);
  const [size = {}] = await query(`SELECT pg_catalog.pg_relation_size('@.${partition}'::regclass) AS size`);
  const pages = Math.max(1, Math.ceil(numberOf(size, 'size') / PAGE_BYTES));
  const [sample = {}] = await query(
    `SELECT
      count(*) AS row_count,
      count(*) FILTER (WHERE ${isStored('entries.run_id')}) AS kept
    FROM @.${partition} AS entries TABLESAMPLE SYSTEM ($1::real)`,
    [Math.min(100, (SAMPLED_PAGES / pages) * 100)],
  );
  const rows = numberOf(sample, 'row_count');
  return rows > 0 && numberOf(sample, 'kept') * ROWS_PER_KEPT_ROW <= rows;
}

/**
 * A run comes into being with its rows, in one commit: rows that are seen without their run are nobody's, and stay so. Each batch
 * is a transaction of its own, and touches no row that anybody reads. One partition after the other: of a run whose rows in the last
 * of them, the log, are gone, none is in the others.
 */
async function emptyOfNobodys(query: Query, partitions: readonly string[], sweep: Sweep): Promise<void> {
  for (const partition of partitions) await emptyPartition(query, partition, sweep);
}

async function emptyPartition(query: Query, partition: string, sweep: Sweep): Promise<void> {
  const deleteBatch = `
    WITH page AS MATERIALIZED (
      SELECT run_id FROM @.${partition} WHERE run_id > $1::uuid ORDER BY run_id LIMIT ${ROWS_PER_BATCH}
    ), nobodys AS (
      SELECT DISTINCT page.run_id FROM page
      WHERE NOT ${isStored('page.run_id')}
    ), deleted AS (
      DELETE FROM @.${partition} AS entries USING nobodys WHERE entries.run_id = nobodys.run_id
    )
    SELECT (SELECT run_id FROM page ORDER BY run_id DESC LIMIT 1)::text AS last_id`;
  let afterId: string | null = NO_ID;
  while (afterId !== null && !isOver(sweep)) {
    const [batch = {}]: readonly Columns[] = await query(deleteBatch, [afterId]);
    afterId = textOrNull(batch, 'last_id');
    await delay(PAUSE_MS);
  }
}
