import type { ListChange } from 'flowgate-client/remote';

/** A list that changes while somebody looks at it: what is shown never moves by itself. */
export interface WatchedList<Item> {
  /** False until the first answer. */
  readonly isRead: boolean;
  /** Newest first. */
  readonly shown: readonly Item[];
  /** New ones that wait to be shown, newest first. */
  readonly waiting: readonly Item[];
  /** The cursor of what is older than the first page; null: nothing is. */
  readonly next: string | null;
}

export const EMPTY_LIST: WatchedList<never> = { isRead: false, shown: [], waiting: [], next: null };

interface Way<Item> {
  /** Of an item, and of what a removal names. */
  readonly keyOf: (item: Pick<Item, never> & object) => string;
  readonly holdsNew: boolean;
}

/** The list after a change of the stream. */
export function changed<Item extends object>(
  list: WatchedList<Item>,
  change: ListChange<Item>,
  way: Way<Item>,
): WatchedList<Item> {
  switch (change.type) {
    case 'snapshot':
      return renewed(list, change, way);
    case 'upsert':
      return withItem(list, change.item, way);
    case 'remove': {
      const gone = way.keyOf(change);
      const rest = (items: readonly Item[]): readonly Item[] =>
        items.filter((item) => way.keyOf(item) !== gone);
      return { ...list, shown: rest(list.shown), waiting: rest(list.waiting) };
    }
  }
}

/** Those that waited come first, since they are newer. */
export function showWaiting<Item>(list: WatchedList<Item>): WatchedList<Item> {
  return { ...list, shown: [...list.waiting, ...list.shown], waiting: [] };
}

function renewed<Item extends object>(
  list: WatchedList<Item>,
  { items, next }: { readonly items: readonly Item[]; readonly next: string | null },
  way: Way<Item>,
): WatchedList<Item> {
  if (!list.isRead || !way.holdsNew) return { isRead: true, shown: items, waiting: [], next };
  const known = new Set(list.shown.map(way.keyOf));
  return {
    isRead: true,
    shown: items.filter((item) => known.has(way.keyOf(item))),
    waiting: items.filter((item) => !known.has(way.keyOf(item))),
    next,
  };
}

function withItem<Item extends object>(
  list: WatchedList<Item>,
  item: Item,
  { keyOf, holdsNew }: Way<Item>,
): WatchedList<Item> {
  const key = keyOf(item);
  const replaced = (items: readonly Item[]): readonly Item[] | null =>
    items.some((one) => keyOf(one) === key) ? items.map((one) => (keyOf(one) === key ? item : one)) : null;
  const shown = replaced(list.shown);
  if (shown !== null) return { ...list, shown };
  const waiting = replaced(list.waiting);
  if (waiting !== null) return { ...list, waiting };
  return holdsNew ? { ...list, waiting: [item, ...list.waiting] } : { ...list, shown: [item, ...list.shown] };
}
