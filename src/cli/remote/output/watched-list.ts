import type { ListChange } from 'flowgate-client';
import { jsonText, print } from '../../terminal/output.js';
import { Table } from '../../terminal/table.js';

/** The most items whose rows are remembered, so that their removal can be shown. */
const MAX_REMEMBERED = 10_000;

/** The ids by which an item of a list is recognised. */
interface Named {
  readonly runId: string;
  readonly gateId?: number;
}

export interface WatchedList<Item extends Named> {
  readonly changes: AsyncIterable<ListChange<Item>>;
  readonly headings: readonly string[];
  readonly rowOf: (item: Item) => readonly string[];
  readonly keyOf: (item: Named) => string;
  /** Each change on a line of its own, instead of rows. */
  readonly isJson: boolean;
}

/**
 * Shows a list and its changes until Ctrl-C: a row for each item that is new or changed, and one with a minus for
 * each item that has left the list.
 */
export async function watchedList<Item extends Named>(list: WatchedList<Item>): Promise<void> {
  const { changes, headings, rowOf, keyOf, isJson } = list;
  const table = new Table(['', ...headings]);
  const shown = new Map<string, readonly string[]>();
  if (!isJson) await print(table.head());
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
    if (isJson) {
      await print(jsonText(change, false));
    } else if (change.type === 'upsert') {
      await show(change.item);
    } else if (change.type === 'remove') {
      await hide(keyOf(change));
    } else {
      const keys = new Set(change.items.map((item) => keyOf(item)));
      // The oldest item comes first, as in the changes that follow.
      for (const item of change.items.toReversed()) await show(item);
      if (change.next === null) for (const key of shown.keys()) if (!keys.has(key)) await hide(key);
    }
  }
}
