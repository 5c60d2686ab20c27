import type { AccessStore } from '../../../../ports/access/access-store.js';
import type { RunStore } from '../../../../ports/store/run-store.js';

/** What a contract file sees: the open, empty store of the test that runs. */
export interface AccessStoreHarness {
  readonly access: AccessStore;
  /** The same keys, as another process sees them; where only one process may have the store, the same object. */
  readonly elsewhere: AccessStore;
  close(): Promise<void>;
}

export interface StoresUnderTest {
  readonly store: RunStore;
  /** Another store on the same database, or the same one. */
  readonly other: RunStore;
  dispose(): Promise<void>;
}
