import { setTimeout as delay } from 'node:timers/promises';

/**
 * Where an entry is in the log of the store: (base + id of its transaction) × 1,024 + ordinal, as SQL.
 *
 * 1. Ids of transactions (`pg_current_xact_id`, 64 bits) grow in the order in which they are given, which is not that of the
 *    commits. So nobody reads at or above the oldest transaction that is still open: below it everything is decided, and what
 *    was committed is in the snapshot of the statement that asks. Promise 4 of `RunStore` rests on that.
 * 2. A transaction writes no two entries with one ordinal. Those of a run grow from append to append, because an append that finds
 *    the one before it was begun, and given its id, after that one was committed: it is one statement, without a BEGIN.
 * 3. `Database.base` rises where a dump was restored on a server whose ids are lower than those in its positions.
 */
const ORDINALS = 1_024;

/** Entries that are written by one transaction at most; each has an ordinal below 1,024. */
export const MOST_ENTRIES = 1_000;

/** The position of an entry of this transaction. `base`: the placeholder of `Database.base`. */
export function positionSql(base: string, ordinal: string): string {
  return `((${base}::bigint + pg_current_xact_id()::text::bigint) * ${ORDINALS} + ${ordinal})`;
}

/** The least position that must not be read yet. `base`: the placeholder of `Database.base`. */
export function visibleBelow(base: string): string {
  return `((${base}::bigint + pg_snapshot_xmin(pg_current_snapshot())::text::bigint) * ${ORDINALS})`;
}

/** Whether entries of the table are committed that must not be read yet, because an older transaction is open. */
export function heldBackIn(table: string, base: string): string {
  return `EXISTS (SELECT 1 FROM @.${table} AS held WHERE held.position >= ${visibleBelow(base)})`;
}

/** Nearly all transactions take a few milliseconds. Who stands still in one holds followers up all the same. */
const WAITS_MS = [2, 4, 8, 16];

/**
 * Reads a page. An empty one, where there is something that is only held back, is read again a moment later: a follower that was
 * woken by an append would else sleep again because of a stranger's transaction.
 */
export async function readPatiently<Page extends { readonly isHeldBack: boolean }>(
  read: () => Promise<Page>,
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<Page> {
  let page = await read();
  for (const waitMs of WAITS_MS) {
    if (!page.isHeldBack) break;
    await wait(waitMs);
    page = await read();
  }
  return page;
}
