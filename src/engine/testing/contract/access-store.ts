import { accessOf } from '../../ports/access/access-of.js';
import type { AccessStore } from '../../ports/access/access-store.js';
import { contractsIn } from './contracts-in.js';
import type { AccessStoreHarness, StoresUnderTest } from './access-store/support/contract.js';

const contracts = await contractsIn<AccessStoreHarness>(new URL('./access-store/', import.meta.url));

/**
 * Registers the tests that every adapter of `AccessStore` must pass. Call it at the top level of a test file.
 * `createStores` makes an empty store that is not open yet, and what another process has of the same database.
 */
export function runAccessStoreContract(name: string, createStores: () => Promise<StoresUnderTest>): void {
  describe(`${name}: the contract of AccessStore`, () => {
    let current: StoresUnderTest | null = null;
    const used = (): StoresUnderTest => {
      if (current === null) throw new Error('The store exists only while a test runs');
      return current;
    };
    const harness = {
      get access(): AccessStore {
        return accessOf(used().store);
      },
      get elsewhere(): AccessStore {
        return accessOf(used().other);
      },
      close: async (): Promise<void> => used().store.close(),
    };

    beforeEach(async () => {
      current = await createStores();
      await current.store.open();
      if (current.other !== current.store) await current.other.open();
    });

    afterEach(async () => {
      if (current?.other !== current?.store) await current?.other.close();
      await current?.store.close();
      await current?.dispose();
      current = null;
    });

    for (const { name: behaviour, register } of contracts) describe(behaviour, () => register(harness));
  });
}
