import type { ListChange } from 'flowgate-client';
import { jsonText, print } from '../terminal/output.js';
import { Table } from '../terminal/table.js';

/** Items whose rows are remembered, to tell what is gone. */
const MAX_REMEMBERED = 10_000;

/** What names an item of a list. */
interface Named {
  readonly runId: string;
  readonly gateId?: number;
}

export interface WatchedList<Item extends Named> {
  readonly changes: AsyncIterable<ListChange<Item>>;
  readonly headings: readonly string[];
  readonly rowOf: (item: Item) => readonly string[];
  readonly keyOf: (item: Named) => string;
  /** A change on a line of its own, in place of rows. */
  readonly json: boolean | undefined;
}

/**
 * Shows a list and what becomes of it, until somebody interrupts: a row for each item that is new or other than before, and
 * with a minus for each that is not of the list any more.
 */
export async function watchedList<Item extends Named>(list: WatchedList<Item>): Promise<void> {
  const { changes, headings, rowOf, keyOf, json } = list;
  const table = new Table(['', ...headings]);
  const shown = new Map<string, readonly string[]>();
  await (json === true ? Promise.resolve() : print(table.head()));
  const show = async (item: Item): Promise<void> => {
    const row = rowOf(item);
    const key = keyOf(item);
    if (shown.get(key)?.join('\0') === row.join('\0')) return;
    if (shown.size < MAX_REMEMBERED || shown.has(key)) shown.set(key, row);
    table.fit([['+', ...row]]);
    await print(table.line(['+', ...row]));
  };
  const hide = async (key: string): Promise<void> => {
    const row = shown.get(key);
    shown.delete(key);
    if (row !== undefined) await print(table.line(['-', ...row]));
  };
  for await (const change of changes) {
    if (json === true) {
      await print(jsonText(change, false));
    } else if (change.type === 'upsert') {
      await show(change.item);
    } else if (change.type === 'remove') {
      await hide(keyOf(change));
    } else {
      const keys = new Set(change.items.map((item) => keyOf(item)));
      // Oldest first, as what follows.
      for (const item of change.items.toReversed()) await show(item);
      if (change.next === null) for (const key of shown.keys()) if (!keys.has(key)) await hide(key);
    }
  }
}
