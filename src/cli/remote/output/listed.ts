import { UsageError } from '../../command-errors.js';
import { jsonText, note, print } from '../../terminal/output.js';
import { Table } from '../../terminal/table.js';

/** Rows whose widths are measured together before they are shown. */
const BATCH = 100;
const MAX_LIMIT = 1_000_000;

export interface Listing<Item> {
  readonly items: AsyncIterable<Item>;
  /** The most items to show. */
  readonly limit: number;
  readonly headings: readonly string[];
  readonly rowOf: (item: Item) => readonly string[];
  /** Each item on a line of its own, instead of a table. */
  readonly json: boolean | undefined;
}

/** Shows a list as it comes: as a table, or with `json` as lines of JSON. */
export async function listed<Item>({ items, limit, headings, rowOf, json }: Listing<Item>): Promise<void> {
  const table = new Table(headings);
  let count = 0;
  let batch: (readonly string[])[] = [];
  const show = async (): Promise<void> => {
    table.fit(batch);
    const head = count > batch.length || batch.length === 0 ? [] : [table.head()];
    const lines = [...head, ...batch.map((row) => table.line(row))];
    if (lines.length > 0) await print(lines.join('\n'));
    batch = [];
  };
  for await (const item of items) {
    count += 1;
    if (json === true) await print(jsonText(item, false));
    else if (batch.push(rowOf(item)) === BATCH) await show();
    if (count === limit) break;
  }
  await show();
  if (count === 0 && json !== true) note('Nothing was found.');
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
