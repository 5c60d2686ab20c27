import type { RunStore } from '../../../../ports/store/run-store.js';

/** What a contract file sees: the open, empty store of the test that runs. */
export interface RunStoreHarness {
  readonly store: RunStore;
}

export interface StoreUnderTest {
  readonly store: RunStore;
  dispose(): Promise<void>;
}
