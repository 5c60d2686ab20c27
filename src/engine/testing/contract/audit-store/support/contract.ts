import type { AuditStore } from '../../../../ports/audit/audit-store.js';
import type { RunStore } from '../../../../ports/store/run-store.js';

/** What a contract file sees: the open, empty store of the test that runs. */
export interface AuditStoreHarness {
  readonly audit: AuditStore;
  readonly store: RunStore;
  /** The same audit, as another process sees it; where only one process may have the store, the same object. */
  readonly elsewhere: AuditStore;
  close(): Promise<void>;
}
