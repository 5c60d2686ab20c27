import type { RunStoreHarness } from './support/contract.js';
import { NOON } from './support/sample-run.js';

const DEFINITION = {
  hash: 'h1',
  workflowId: 'invoices',
  yaml: 'kind: Workflow # ü\n',
  bindings: { 'acme.pay': { type: 'http', endpoint: 'http://127.0.0.1:1/pay', headers: { a: 'b' } } },
  registeredAt: NOON,
};

export default function definitionsContract(harness: RunStoreHarness): void {
  it('answers null for an unknown hash', async () => {
    await expect(harness.store.readDefinition({ hash: 'h1' })).resolves.toBeNull();
  });

  it('answers what was saved', async () => {
    await harness.store.saveDefinition(DEFINITION);
    await harness.store.saveDefinition({ ...DEFINITION, hash: 'h2', yaml: 'other' });
    await expect(harness.store.readDefinition({ hash: 'h1' })).resolves.toEqual(DEFINITION);
  });

  it('keeps the bindings of the newest registration', async () => {
    await harness.store.saveDefinition(DEFINITION);
    const rotated = { ...DEFINITION, bindings: { 'acme.pay': 'new' }, registeredAt: NOON + 1 };
    await harness.store.saveDefinition(rotated);
    await expect(harness.store.readDefinition({ hash: 'h1' })).resolves.toEqual(rotated);
  });
}
