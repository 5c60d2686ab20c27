import { readdirSync } from 'node:fs';
import type { RunStore } from '../../ports/store/run-store.js';
import type { RunStoreContract, StoreUnderTest } from './run-store/support/contract.js';

/** Each file of the folder checks one method; a file that is added is run without a list to keep. */
const contracts = await Promise.all(
  readdirSync(new URL('./run-store/', import.meta.url))
    .filter((file) => /^[a-z-]+\.[tj]s$/.test(file))
    .map(async (file) => {
      const module: { readonly default: RunStoreContract } = await import(`./run-store/${file}`);
      return { method: file.replace(/\.[tj]s$/, ''), contract: module.default };
    }),
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

    for (const { method, contract } of contracts) describe(method, () => contract(harness));
  });
}
