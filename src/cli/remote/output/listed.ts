import { UsageError } from '../../command-errors.js';
import { FittedTable, type Column } from '../../terminal/fitted-table.js';
import { isForPeople } from '../../terminal/for-people.js';
import { jsonText, note, print } from '../../terminal/output.js';
import { paintFor } from '../../terminal/paint.js';
import { Table } from '../../terminal/table.js';
import { yamlText } from '../../terminal/yaml-text.js';
import { askedFormat, widthFor, type OutputArguments } from '../server/output-format.js';

/** Rows whose widths are measured together before they are shown. */
const BATCH = 100;
const MAX_LIMIT = 1_000_000;

export interface Listing<Item> {
  readonly items: AsyncIterable<Item>;
  /** The most items to show. */
  readonly limit: number;
  /** The table of a pipe: programs read it, and its columns stay as they are. */
  readonly headings: readonly string[];
  readonly rowOf: (item: Item) => readonly string[];
  /** The table of a terminal. */
  readonly columns: readonly Column<Item>[];
  /** That of `--output wide`. Default: `columns`. */
  readonly wide?: readonly Column<Item>[];
  readonly asked: OutputArguments;
}

/** Takes items in batches, and returns the text of each batch. */
type Rendering<Item> = (batch: readonly Item[], isFirst: boolean) => Promise<string> | string;

/** Shows a list as it comes: as a table, as lines of JSON, or as the items of a YAML list. */
export async function listed<Item>(listing: Listing<Item>): Promise<void> {
  const { items, limit, asked } = listing;
  const format = askedFormat(asked);
  const rendering = renderingOf(listing);
  let count = 0;
  let batch: Item[] = [];
  const show = async (): Promise<void> => {
    await print(await rendering(batch, count === batch.length));
    batch = [];
  };
  for await (const item of items) {
    count += 1;
    batch.push(item);
    // A program that reads lines gets each as it comes.
    if (format === 'json' || batch.length === BATCH) await show();
    if (count === limit) break;
  }
  if (batch.length > 0) await show();
  if (count === 0 && format === 'yaml') await print('[]');
  if (count === 0 && format !== 'json' && format !== 'yaml') note('Nothing was found.');
}

function renderingOf<Item>(listing: Listing<Item>): Rendering<Item> {
  const format = askedFormat(listing.asked);
  if (format === 'json') return (batch) => batch.map((item) => jsonText(item, false)).join('\n');
  if (format === 'yaml') return (batch) => yamlText(batch);
  if (format === null && !isForPeople(process.stdout)) return plainRows(listing);
  const { columns, wide = columns } = listing;
  return fittedRows(format === 'wide' ? wide : columns, widthFor(format, process.stdout));
}

function plainRows<Item>({ headings, rowOf }: Listing<Item>): Rendering<Item> {
  const table = new Table(headings);
  return (batch, isFirst) => {
    const rows = batch.map(rowOf);
    table.fit(rows);
    return [...(isFirst ? [table.head()] : []), ...rows.map((row) => table.line(row))].join('\n');
  };
}

function fittedRows<Item>(columns: readonly Column<Item>[], width: number): Rendering<Item> {
  const frame = { width, paint: paintFor(process.stdout) };
  let table: FittedTable<Item> | undefined;
  return (batch, isFirst) => {
    table ??= new FittedTable(columns, batch, { ...frame, keepsEmpty: batch.length === BATCH });
    const shown = table;
    return [...(isFirst ? [table.head()] : []), ...batch.map((item) => shown.line(item))].join('\n');
  };
}

/** Columns of a terminal for a list whose rows are the same everywhere; those that are named give way. */
export function columnsOf<Item>(
  headings: readonly string[],
  rowOf: (item: Item) => readonly string[],
  givesWay: readonly string[],
): readonly Column<Item>[] {
  return headings.map((heading, index) => ({
    heading,
    cell: (item) => rowOf(item)[index] ?? '',
    givesWay: givesWay.includes(heading),
  }));
}

/** Checks `--limit`. Throws a `UsageError`. */
export function checkedLimit(limit: number): number {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}.`);
  return limit;
}

/** `2026-11-22T15:04:05Z`; empty for a value that is not a time. */
export function instantText(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z') : '';
}
