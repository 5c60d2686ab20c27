import type { RunStoreHarness } from '../support/contract.js';
import { NOON, sampleDefinition } from '../support/sample-run.js';

export default function definitionsContract(harness: RunStoreHarness): void {
  const read = (namespace: string, hash: string): Promise<unknown> =>
    harness.store.readDefinition({ namespace, hash });

  it('returns null for an unknown hash', async () => {
    await expect(read('default', 'hash-1')).resolves.toBeNull();
  });

  it('returns what was saved, and registers nothing', async () => {
    await harness.store.saveDefinition(sampleDefinition());
    await harness.store.saveDefinition(sampleDefinition({ hash: 'hash-2', yaml: 'other', plan: null }));
    await expect(read('default', 'hash-1')).resolves.toEqual(sampleDefinition());
    await expect(read('default', 'hash-2')).resolves.toMatchObject({ yaml: 'other', plan: null });
    await expect(harness.store.listRegistrations({ namespace: null, opening: null })).resolves.toEqual([]);
  });

  it('tells the same hash in two namespaces apart', async () => {
    const foreign = sampleDefinition({ namespace: 'acme', bindings: {} });
    await harness.store.saveDefinition(sampleDefinition());
    await harness.store.saveDefinition(foreign);
    await expect(read('default', 'hash-1')).resolves.toEqual(sampleDefinition());
    await expect(read('acme', 'hash-1')).resolves.toEqual(foreign);
    await expect(read('other', 'hash-1')).resolves.toBeNull();
  });

  it('keeps the plan and the bindings of the newest', async () => {
    await harness.store.saveDefinition(sampleDefinition());
    const rotated = sampleDefinition({ bindings: { a: 'new' }, plan: 'sealed anew', registeredAt: NOON + 1 });
    await harness.store.saveDefinition(rotated);
    await expect(read('default', 'hash-1')).resolves.toEqual(rotated);
  });

  it('leaves what it has as it is where that is requested', async () => {
    const given = sampleDefinition({ bindings: {}, plan: 'another', registeredAt: NOON + 1 });
    await harness.store.saveDefinition({ ...given, unlessKept: true });
    await expect(read('default', 'hash-1')).resolves.toEqual(given);
    await harness.store.saveDefinition({ ...sampleDefinition(), unlessKept: true });
    await expect(read('default', 'hash-1')).resolves.toEqual(given);
  });

  it('keeps the plan that it has when the newest has none', async () => {
    await harness.store.saveDefinition(sampleDefinition());
    await harness.store.saveDefinition(sampleDefinition({ plan: null, registeredAt: NOON + 1 }));
    await expect(read('default', 'hash-1')).resolves.toEqual(sampleDefinition({ registeredAt: NOON + 1 }));
  });
}
