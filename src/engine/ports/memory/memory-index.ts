import type { JsonObject } from '../../core/json.js';
import type { WorkflowPatterns } from '../access/workflow-patterns.js';

/** One remembered text. */
export interface MemoryEntry {
  /** Unique; putting the same id again replaces the entry. */
  readonly id: string;
  readonly content: string;
  /**
   * For outputs of units: workflowId, runId, unitId, and `at` in epoch ms; `namespace` where it is not `default`. Only
   * searches in that namespace find the entry.
   */
  readonly metadata: JsonObject;
}

export interface MemoryHit extends MemoryEntry {
  /** Greater than 0 and at most 1; 1 is the best match of this search. */
  readonly score: number;
}

/**
 * The memory behind search. Odd query text (quotes, operators, control characters, megabytes) never makes a search fail: it
 * finds something or nothing.
 *
 * 1. Puts and removals take effect in the order of the calls, whether the caller waits between them or not; repeating the
 *    same ones in the same order leaves the same.
 * 2. Words are found in any case and without their accents, from three letters on by their beginning. Of scripts that write
 *    without blanks (Chinese, Japanese, Korean, Thai, Lao, Khmer) any two neighbours are found, and any one.
 * 3. A namespace sees nothing of another: neither its entries nor, in scores, how often it has a word.
 * 4. A search of some workflows sees nothing of others in the same way, and costs what those have that it is of.
 */
export interface MemoryIndex {
  /**
   * Opens or creates what is needed. `isNew`: nothing is in it, so that the log's follower for it begins at the start. Safe
   * to call twice; every other method opens it too.
   */
  open(): Promise<{ readonly isNew: boolean }>;
  put(request: { readonly entries: readonly MemoryEntry[] }): Promise<void>;
  /**
   * Best first, at most `topK` (1 to 100). A query without a word finds nothing. `workflows`: of those that fit, of which there may be
   * more than a list has; absent or null: of all, and of none.
   */
  search(request: {
    readonly namespace: string;
    readonly workflows?: WorkflowPatterns | null;
    readonly query: string;
    readonly topK: number;
  }): Promise<readonly MemoryHit[]>;
  /** Removes the entries of those runs. */
  removeRuns(request: { readonly runIds: readonly string[] }): Promise<void>;
  close(): Promise<void>;
}
