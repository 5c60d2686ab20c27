import { textOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import type { Script } from '../database/schema-database.js';
import { weekNamed, type Week } from './weeks.js';

/** A table that is in partitions by the week of the run's id. `log_2026w48` is one of `log`; `log_other` has the other ids. */
export interface PartitionedTable {
  readonly table: string;
  /** The column that its large texts are in. */
  readonly texts: string;
}

/** The log last: whoever finds none of a run's rows in it finds no states, either. */
export const PARTITIONED_TABLES: readonly PartitionedTable[] = [
  { table: 'states', texts: 'state' },
  { table: 'log', texts: 'events' },
];

export function partitionOf({ table }: PartitionedTable, week: Week): string {
  return `${table}_${week.name}`;
}

export function defaultPartitionOf({ table }: PartitionedTable): string {
  return `${table}_other`;
}

/** The weeks that have a partition of that table; partitions of other names are not ours. */
export async function weeksOf(query: Query, { table }: PartitionedTable): Promise<readonly Week[]> {
  const partitions = await query(`
    SELECT made.relname::text AS name
    FROM pg_catalog.pg_inherits AS heirs JOIN pg_catalog.pg_class AS made ON made.oid = heirs.inhrelid
    WHERE heirs.inhparent = '@.${table}'::regclass`);
  const beginning = `${table}_`;
  return partitions
    .map((columns) => textOf(columns, 'name'))
    .filter((name) => name.startsWith(beginning))
    .map((name) => weekNamed(name.slice(beginning.length)))
    .filter((week) => week !== null);
}

/** What the server is built with. */
const HAS_LZ4 = `
  SELECT 'lz4' = ANY (enumvals) AS has_lz4 FROM pg_catalog.pg_settings WHERE name = 'default_toast_compression'`;

/** Has texts that are stored from now on packed by lz4 where the server has it: it takes a fraction of what its own method does. */
export async function compressTexts(
  query: Query,
  script: Script,
  partition: string,
  { texts }: PartitionedTable,
): Promise<void> {
  const [built = {}] = await query(HAS_LZ4);
  if (built['has_lz4'] === true)
    await script(`ALTER TABLE @.${partition} ALTER COLUMN ${texts} SET COMPRESSION lz4`);
}

/** As the partitions of weeks, those that are made with the tables themselves. */
export async function compressDefaultPartitions(query: Query, script: Script): Promise<void> {
  for (const table of PARTITIONED_TABLES)
    await compressTexts(query, script, defaultPartitionOf(table), table);
}
