import type { ListedRun } from '../../ports/store/run-row.js';
import type { ListChange } from '../../run-lists.js';
import type { NotifiedEntry } from '../streams/notified-entry.js';

/** A run that has changed. */
export interface ChangedRun {
  readonly runId: string;
  /** The run as it is after the change; it is read once for all who look. Null: there is no such run. */
  listed(): Promise<ListedRun | null>;
}

/** A list, as its watchers need it. The key of an item is unique within its run. */
export interface WatchedList<Item> {
  /** Lists with the same key are the same list. */
  readonly key: string;
  readonly namespace: string;
  /** The items that the entry may bring into the list, or change; cheap, since every list sees every entry. */
  keysIn(entry: NotifiedEntry): readonly string[];
  /** The first page as it is now. */
  page(): Promise<{ readonly items: readonly Item[]; readonly next: string | null }>;
  runIdOf(item: Item): string;
  keyOf(item: Item): string;
  /** Whether it may have something of a run that no client knows. */
  mayHave(run: ChangedRun): Promise<boolean>;
  /** What the list has of the run after the change. */
  itemsOf(run: ChangedRun): Promise<ItemsOfRun<Item>>;
  removalOf(runId: string, key: string): ListChange<Item>;
}

export interface ItemsOfRun<Item> {
  readonly items: readonly ListedItem<Item>[];
  /** Whether items that are not among them are in the list no longer. */
  readonly areAll: boolean;
}

export interface ListedItem<Item> {
  readonly key: string;
  /** The same version as before: the item has not changed. */
  readonly version: number;
  /** Null: the run was purged a moment ago. */
  readonly make: () => Promise<Item | null>;
}
