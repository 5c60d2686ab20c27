import type { RunStoreHarness } from '../support/contract.js';
import { NOON, sampleDefinition } from '../support/sample-run.js';

export default function listDefinitionsContract(harness: RunStoreHarness): void {
  const list = (
    workflowId: string,
    { namespace = 'default', before = null as { registeredAt: number; hash: string } | null, limit = 9 } = {},
  ) => harness.store.listDefinitions({ namespace, workflowId, before, limit });

  beforeEach(async () => {
    for (const [hash, registeredAt] of [
      ['b', NOON],
      ['c', NOON + 2],
      ['a', NOON],
    ] as const) {
      await harness.store.saveDefinition(sampleDefinition({ hash, registeredAt }));
    }
    await harness.store.saveDefinition(sampleDefinition({ hash: 'd', workflowId: 'other' }));
    await harness.store.saveDefinition(sampleDefinition({ hash: 'e', namespace: 'acme' }));
  });

  it('returns those of the workflow, newest first by registeredAt, then hash', async () => {
    await expect(list('invoices')).resolves.toEqual([
      { hash: 'c', registeredAt: NOON + 2 },
      { hash: 'b', registeredAt: NOON },
      { hash: 'a', registeredAt: NOON },
    ]);
    await expect(list('other')).resolves.toMatchObject([{ hash: 'd' }]);
    await expect(list('invoices', { namespace: 'acme' })).resolves.toMatchObject([{ hash: 'e' }]);
    await expect(list('nobody')).resolves.toEqual([]);
  });

  it('continues after a definition, with at most the limit', async () => {
    await expect(list('invoices', { limit: 2 })).resolves.toMatchObject([{ hash: 'c' }, { hash: 'b' }]);
    const before = { registeredAt: NOON, hash: 'b' };
    await expect(list('invoices', { before })).resolves.toMatchObject([{ hash: 'a' }]);
  });

  it('counts a registration of the same definition as new', async () => {
    const definition = sampleDefinition({ hash: 'a', registeredAt: NOON + 9 });
    await harness.store.register({ definition, opening: 'one' });
    await expect(list('invoices', { limit: 1 })).resolves.toEqual([{ hash: 'a', registeredAt: NOON + 9 }]);
  });
}
