import { numberOf } from '../database/columns.js';
import type { SchemaDatabase } from '../database/schema-database.js';
import { dropPastWeeks } from './past-weeks.js';
import { makeWeeksAhead } from './weeks-ahead.js';

const LONGEST_SWEEP_MS = 120_000;

const READ_NOW = `SELECT floor(extract(epoch FROM pg_catalog.clock_timestamp()) * 1000)::bigint AS now`;

/**
 * The partitions of `log` and `states`, a week each. Two files do the work: weeks to come are made in `weeks-ahead.ts`, those of
 * which nothing is left are dropped in `past-weeks.ts`. Both may run at several replicas at once, and beside any load:
 *
 * 1. No append waits for one of their locks for longer than about 100 ms: a change gives up, and comes again.
 * 2. No table is rewritten, and no row is out of sight for a moment.
 * 3. What fails leaves things as they were: the default partition takes rows of a week that has none.
 *
 * To be called when the store opens, and when an append was refused for want of a partition. Resolves to false where something was in the way: call again within the hour.
 */
export async function preparePartitions(
  database: SchemaDatabase,
  signal: AbortSignal | null,
): Promise<boolean> {
  return makeWeeksAhead(database, await readNow(database), signal);
}

/**
 * To be called once a day, by one replica where there are several. It takes two minutes at most, and ends soon after the signal
 * fires. Resolves to false where something was in the way: call again within the hour.
 */
export async function keepPartitions(database: SchemaDatabase, signal: AbortSignal | null): Promise<boolean> {
  const now = await readNow(database);
  const isMade = await makeWeeksAhead(database, now, signal);
  const until = performance.now() + LONGEST_SWEEP_MS;
  const isDropped = await dropPastWeeks(database, { now, until, signal });
  return isMade && isDropped;
}

async function readNow({ query }: SchemaDatabase): Promise<number> {
  const [clock = {}] = await query(READ_NOW);
  return numberOf(clock, 'now');
}
