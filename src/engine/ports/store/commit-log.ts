import type { StoredEvent } from './append.js';

/** What a follower of the whole store reads: one append, or the notification that a run was purged. */
export type LogEntry = {
  /** Grows with every entry of the store, by any number; followers keep it as their cursor. */
  readonly position: number;
  readonly runId: string;
  readonly namespace: string;
  readonly workflowId: string;
} & (
  | {
      readonly kind: 'appended';
      /** The hash of the definition that the run is pinned to. */
      readonly definitionHash: string;
      /** The run was imported: what its log records happened elsewhere. Absent: it was not. */
      readonly isImport?: true;
      /** The events of one append; an import may be split into several entries. */
      readonly events: readonly StoredEvent[];
    }
  /** A tombstone, written in the purge's own transaction: followers remove what they derived from the run, too. */
  | { readonly kind: 'purged' }
);

/** An append of which its run's parent or children may have to be notified. */
export interface FamilyEntry {
  /** The append's position in the store's log. */
  readonly position: number;
  readonly runId: string;
}

/**
 * All appends of the store in the order of their commits, with a tombstone for each run that was purged; and how far those
 * who follow it have come. Promise 4 says what they may rely on.
 */
export interface CommitLog {
  /**
   * The store's log in commit order, after `afterPosition` (0: from the first), at most `limit`. A page may be
   * shorter than `limit` before the end (large outputs); an empty one is the end. Of a purged run the appends are
   * gone and a tombstone stands at the end.
   *
   * `types` says which events are looked for. Appends without any of these may be left out, but for the last of a page; what is
   * there has all its events. Absent: all are looked for.
   */
  readAll(request: {
    readonly afterPosition: number;
    readonly limit: number;
    readonly types?: readonly string[] | undefined;
  }): Promise<readonly LogEntry[]>;
  /** The position of the newest entry; 0 while there is none. */
  lastPosition(): Promise<number>;
  /**
   * How many entries there are after `position`, counted up to `atMost`. Positions only grow: the difference of two says nothing
   * of how many entries lie between them. What was purged after it was appended may be counted, too.
   */
  countAfter(request: { readonly position: number; readonly atMost: number }): Promise<number>;
  /** The runs that have entries after `afterPosition`, oldest first, at most `limit`; no event is read for it. */
  readChanges(request: { readonly afterPosition: number; readonly limit: number }): Promise<
    readonly {
      readonly position: number;
      readonly runId: string;
      /** The entry says that it was purged. */
      readonly isPurged: boolean;
    }[]
  >;
  /**
   * The appends that concern families, in commit order, after `afterPosition`, at most `limit`; without those that were
   * dropped. Nothing of a run that never concerned one is read for it.
   */
  readFamilyLog(request: {
    readonly afterPosition: number;
    readonly limit: number;
  }): Promise<readonly FamilyEntry[]>;
  /** Forgets entries at or before the position: all runs that had to be notified of them have been. */
  dropFamilyLog(request: { readonly throughPosition: number }): Promise<void>;
  /** A follower's cursor in `readAll`; 0 for a new one. */
  readCursor(request: { readonly name: string }): Promise<number>;
  writeCursor(request: { readonly name: string; readonly position: number }): Promise<void>;
  /**
   * Deletes at most `limit` runs that ended before the instant, writes a tombstone for each in the same transaction, and
   * returns their ids, oldest end first. A run with an entry after `throughPosition` (the slowest follower's cursor; null:
   * there are no followers) stays, and so does one with an entry in the family log, and one that another stored run is a
   * fork of: it goes right after the last of its forks. Fewer than `limit` means that no other may go, however many must
   * stay, but for those that another caller has in hand at that moment; the search may continue where the call before left off, and then from the oldest on.
   */
  purgeEnded(request: {
    readonly endedBefore: number;
    readonly throughPosition: number | null;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /** Forgets tombstones at or before the position: every follower has read them. */
  dropTombstones(request: { readonly throughPosition: number }): Promise<void>;
  /**
   * Calls `onCommit` after every commit from now on: how many operations were in it, how long it took from when the writer
   * was handed them, and whether they are durable. `onCommit` never throws. Absent: the store commits nothing.
   */
  tellCommits?(onCommit: (operations: number, tookMs: number, isDurable: boolean) => void): void;
}

/** A page without the appends that have no event of these types, as `readAll` may leave them out. */
export function onlyWithTypes(
  page: readonly LogEntry[],
  types: readonly string[] | undefined,
): readonly LogEntry[] {
  if (types === undefined) return page;
  const last = page.at(-1);
  return page.filter(
    (entry) =>
      entry === last || entry.kind === 'purged' || entry.events.some(({ type }) => types.includes(type)),
  );
}

/**
 * Finds the texts of appends that may have an event of these types, before they are parsed: one that has is always found, and one
 * whose payloads look like it may be.
 */
export function textWithTypes(types: readonly string[]): RegExp {
  return new RegExp(`"type":"(?:${types.join('|')})"`, 'u');
}
