import type { AccessStore } from '../access/access-store.js';
import type { AuditStore } from '../audit/audit-store.js';
import type { CommitLog } from './commit-log.js';
import type { CrashJournal } from './crash-journal.js';
import type { DefinitionStore } from './definition-store.js';
import type { RunIndex } from './run-index.js';
import type { RunLog } from './run-log.js';

/**
 * Keeps the logs of all runs, and what follows from them. It is five ports in one store, because an append writes into most
 * of them at once; whoever uses it takes the port, or the methods, that it needs. What is declared here is the life of the
 * store as a whole. Every method takes one readonly parameter object; what is absent is null.
 *
 * Numbered promises, each checked by `testing/contract/run-store`:
 * 1. `append` is atomic: events, row, stored state, keys, labels and open gates are written all or not at all.
 * 2. `append` writes only if the run's last seq is `expectedSeq`; of two writers one gets `conflict`.
 * 3. When `append` has returned its result, what it wrote survives the death of the process (in-memory: not promised), and
 *    no reader saw it before.
 * 4. `position` never goes back and no entry appears later below a position already read.
 * 5. A rejected promise means: unknown. The caller reloads before it continues. A `StoreError` that is `permanent` will come
 *    again however often the same request is tried.
 * 6. Calls that were marked as begun are known after the death of the process (in-memory: not promised), though not after a
 *    power cut; a clean `close` forgets them.
 * 7. The same holds for the runs that are marked as being at risk, and for those whose `load` is long. How often in a row
 *    the process died in a run is known until its turn comes to an end or something of it is appended.
 * 8. What a method returns is never changed afterwards, and what it was given is not kept by a store that shares memory with
 *    the caller unless the caller may not change it either (events, rows and states are frozen or owned).
 */
export interface RunStore extends RunLog, RunIndex, DefinitionStore, CommitLog, CrashJournal {
  /**
   * API keys and what was revoked, open as long as the store is, in the same database. Absent: it keeps none, and authentication
   * cannot be turned on (`accessOf`).
   */
  readonly access?: AccessStore;
  /** Who did what, likewise. Absent: it keeps none, and the audit cannot be turned on (`auditOf`). */
  readonly audit?: AuditStore;
  /**
   * Opens or creates what is needed. Rejects with a `StoreError` that says what to do. `opening` is the id of this boot of
   * the store: registrations carry it, so that a registry that lives in memory can tell its own from older ones.
   */
  open(): Promise<{ readonly opening: string }>;
  /**
   * Resolves when the store can serve; rejects with a `StoreError` otherwise. `deep` also reads, and tries a write where
   * the last one failed; without it the check costs microseconds: the folder is still the one that was opened.
   */
  check(request: { readonly deep: boolean }): Promise<void>;
  /** Waits for what was appended; afterwards every method rejects. */
  close(): Promise<void>;
}

export type StoreMethod = Exclude<
  keyof RunStore,
  'access' | 'audit' | 'acceptsRunId' | 'keepsMarks' | 'tellCommits' | 'listRunsBelowWithGates'
>;
