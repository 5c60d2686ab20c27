import { auditOf } from '../../ports/audit/audit-of.js';
import type { AuditStore } from '../../ports/audit/audit-store.js';
import { contractsIn } from './contracts-in.js';
import type { RunStore } from '../../ports/store/run-store.js';
import type { StoresUnderTest } from './access-store/support/contract.js';
import type { AuditStoreHarness } from './audit-store/support/contract.js';

const contracts = await contractsIn<AuditStoreHarness>(new URL('./audit-store/', import.meta.url));

/**
 * Registers the tests that every adapter of `AuditStore` must pass. Call it at the top level of a test file.
 * `createStores` makes an empty store that is not open yet, and what another process has of the same database.
 */
export function runAuditStoreContract(name: string, createStores: () => Promise<StoresUnderTest>): void {
  describe(`${name}: the contract of AuditStore`, () => {
    let current: StoresUnderTest | null = null;
    const used = (): StoresUnderTest => {
      if (current === null) throw new Error('The store exists only while a test runs');
      return current;
    };
    const harness = {
      get audit(): AuditStore {
        return auditOf(used().store);
      },
      get store(): RunStore {
        return used().store;
      },
      get elsewhere(): AuditStore {
        return auditOf(used().other);
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
