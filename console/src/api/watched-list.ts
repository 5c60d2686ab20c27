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
  /** Of a list that shows older pages, too: whether an item comes after another. */
  readonly isOlder?: ((item: Item, than: Item) => boolean) | undefined;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
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

/** With a page of what is older than all that is shown. */
export function withOlder<Item extends object>(
  list: WatchedList<Item>,
  { items, next }: Page<Item>,
  { keyOf }: Pick<Way<Item>, 'keyOf'>,
): WatchedList<Item> {
  const known = new Set([...list.waiting, ...list.shown].map(keyOf));
  return { ...list, shown: [...list.shown, ...items.filter((item) => !known.has(keyOf(item)))], next };
}

/** Those that waited come first, since they are newer. */
export function showWaiting<Item>(list: WatchedList<Item>): WatchedList<Item> {
  return { ...list, shown: [...list.waiting, ...list.shown], waiting: [] };
}

/** A new first page says nothing of what is older than it: that stays. */
function renewed<Item extends object>(
  list: WatchedList<Item>,
  { items, next }: Page<Item>,
  { keyOf, holdsNew, isOlder = () => false }: Way<Item>,
): WatchedList<Item> {
  const known = new Set(list.shown.map(keyOf));
  const [end, shownEnd] = [items.at(-1), list.shown.at(-1)];
  const beyond = next === null || end === undefined ? [] : list.shown.filter((item) => isOlder(item, end));
  const isWaiting = (item: Item): boolean =>
    list.isRead && holdsNew && !known.has(keyOf(item)) && !(shownEnd && isOlder(item, shownEnd));
  return {
    isRead: true,
    shown: [...items.filter((item) => !isWaiting(item)), ...beyond],
    waiting: items.filter(isWaiting),
    next: beyond.length === 0 ? next : list.next,
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
