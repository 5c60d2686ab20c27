import type { RunStore } from '../../ports/store/run-store.js';
import { contractsIn } from './contracts-in.js';
import type { RunStoreHarness, StoreUnderTest } from './run-store/support/contract.js';

/** The suites of the five ports, in folders of their names, and what is promised of the store as a whole. */
const SUITES = {
  RunLog: 'log/',
  RunIndex: 'index/',
  DefinitionStore: 'definitions/',
  CommitLog: 'commits/',
  CrashJournal: 'journal/',
  'the whole': '',
};

const suites = await Promise.all(
  Object.entries(SUITES).map(async ([suite, folder]) => ({
    suite,
    contracts: await contractsIn<RunStoreHarness>(new URL(`./run-store/${folder}`, import.meta.url)),
  })),
);

/**
 * Registers the tests that every adapter of `RunStore` must pass. Call it at the top level of a test file.
 * `createStore` makes an empty store that is not open yet; `dispose` runs after the store was closed.
 */
export function runRunStoreContract(name: string, createStore: () => Promise<StoreUnderTest>): void {
  describe(`${name}: the contract of RunStore`, () => {
    let current: StoreUnderTest | null = null;
    const harness = {
      get store(): RunStore {
        if (current === null) throw new Error('The store exists only while a test runs');
        return current.store;
      },
    };

    beforeEach(async () => {
      current = await createStore();
      await current.store.open();
    });

    afterEach(async () => {
      await current?.store.close();
      await current?.dispose();
      current = null;
    });

    for (const { suite, contracts } of suites) {
      describe(suite, () => {
        for (const { name: method, register } of contracts) describe(method, () => register(harness));
      });
    }
  });
}
