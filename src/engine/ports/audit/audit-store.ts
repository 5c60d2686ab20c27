import type { AuditAction } from '../../vocabulary.js';
import type { AuditAct, AuditRow } from './audit-act.js';

/** More rows than these are not read at once, whatever the limit of a request. */
export const MOST_AUDIT_ROWS = 1_000;

/** Where a page of the list ended. */
export interface AuditCursor {
  readonly at: number;
  readonly id: number;
}

/** Which acts are meant. What is null is not looked at. */
export interface AuditFilter {
  /** Of these alone; null in it: what belongs to none. */
  readonly namespaces: readonly (string | null)[];
  /** The account that acted, as it was authenticated. */
  readonly owner: string | null;
  readonly action: AuditAction | null;
  readonly runId: string | null;
  /** Epoch ms: then or later. */
  readonly after: number | null;
  /** Epoch ms: earlier. */
  readonly before: number | null;
}

/**
 * Keeps who did what, in the database of the runs: a seventh port, which a `RunStore` may have as `audit`. What belongs to a change
 * of keys or registrations is given to whoever makes that change (`audit` of their requests), and written with it.
 *
 * Numbered promises, each checked by `testing/contract/audit-store`:
 * 1. An act is recorded with what it tells of, or neither is. What is refused is not told.
 * 2. Of an event of a run (`runId`, `seq`) one act is recorded, however often it is told, and by however many processes.
 * 3. Ids follow the order in which acts can be read: nobody who has read an id is later given a smaller one.
 * 4. What a method resolved with is durable (in-memory: not promised), and outlives the run that it tells of.
 * 5. A row holds a random reference in place of a person, who stands in a table of their own; one of whom no row tells is forgotten.
 * 6. What it was given and what it returns is never changed afterwards.
 */
export interface AuditStore {
  /** Adds acts in their order. `unlessLast`: only where the newest of the same action has another `target`. */
  record(request: { readonly acts: readonly AuditAct[]; readonly unlessLast?: boolean }): Promise<void>;
  /** Newest first by (at, id). `cursor`: the last of the page before. At most `MOST_AUDIT_ROWS`. */
  list(
    request: AuditFilter & { readonly cursor: AuditCursor | null; readonly limit: number },
  ): Promise<readonly AuditRow[]>;
  /** Of all namespaces, in the order of their ids; at most `MOST_AUDIT_ROWS`. */
  readAfter(request: { readonly afterId: number; readonly limit: number }): Promise<readonly AuditRow[]>;
  /** The id of the newest; 0 while there is none. Read by one key of an index. */
  lastId(): Promise<number>;
  /**
   * Removes what tells of something before the instant, wherever it stands among what a clock that was ahead has recorded. Resolves
   * with how much that was, at most `limit`; less: there is nothing else.
   */
  removeBefore(request: { readonly before: number; readonly limit: number }): Promise<number>;
}
