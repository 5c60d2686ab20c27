import type { RunStoreHarness } from '../support/contract.js';
import { sampleDefinition } from '../support/sample-run.js';

export default function definitionsKeptContract(harness: RunStoreHarness): void {
  it('counts the definitions of all namespaces, and what their texts take', async () => {
    const { store } = harness;
    await expect(store.definitionsKept()).resolves.toEqual({ count: 0, size: 0 });
    await store.saveDefinition(sampleDefinition({ yaml: 'y'.repeat(10_000), plan: 'p'.repeat(5_000) }));
    await store.saveDefinition(sampleDefinition({ namespace: 'acme', yaml: 'y', plan: null }));
    await expect(store.definitionsKept()).resolves.toEqual({ count: 2, size: 15_001 });
  });

  it('counts one that was saved again once', async () => {
    await harness.store.saveDefinition(sampleDefinition());
    await harness.store.register({ definition: sampleDefinition(), opening: 'now' });
    await expect(harness.store.definitionsKept()).resolves.toMatchObject({ count: 1 });
  });
}
