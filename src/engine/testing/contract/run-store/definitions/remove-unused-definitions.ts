import type { RunStoreHarness } from '../support/contract.js';
import {
  endedRow,
  NOON,
  sampleAppend,
  sampleDefinition,
  sampleRow,
  sampleRunId,
} from '../support/sample-run.js';

const RUN = sampleRunId(1);

export default function removeUnusedDefinitionsContract(harness: RunStoreHarness): void {
  const remove = (limit = 100, bootId: string | null = null): Promise<number> =>
    harness.store.removeUnusedDefinitions({ opening: bootId, limit });
  const isThere = async (hash: string, namespace = 'default'): Promise<boolean> =>
    (await harness.store.readDefinition({ namespace, hash })) !== null;
  const register = (hash: string, bootId = 'now', at = NOON): Promise<void> =>
    harness.store.register({ definition: sampleDefinition({ hash, registeredAt: at }), opening: bootId });

  it('deletes what neither a run nor a registration names', async () => {
    await register('hash-1');
    await register('hash-2', 'now', NOON + 1);
    await expect(remove()).resolves.toBe(1);
    expect([await isThere('hash-1'), await isThere('hash-2')]).toEqual([false, true]);
    await expect(remove()).resolves.toBe(0);
  });

  it('keeps what a run names, whether it has ended or not, until the run is purged', async () => {
    await register('hash-1');
    await harness.store.append(sampleAppend(RUN, { row: endedRow(RUN, NOON) }));
    await register('hash-2', 'now', NOON + 1);
    await expect(remove()).resolves.toBe(0);
    await harness.store.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 9 });
    await expect(remove()).resolves.toBe(1);
    expect(await isThere('hash-1')).toBe(false);
  });

  it('keeps what a run names that starts at that very instant from what is registered', async () => {
    await register('hash-1');
    const start = (index: number) => {
      const runId = sampleRunId(index);
      const startedFrom = { hash: 'hash-1', opening: 'now' };
      return harness.store.append(sampleAppend(runId, { row: sampleRow(runId), startedFrom }));
    };
    const before = Array.from({ length: 20 }, (_, index) => start(index + 1));
    const replaced = register('hash-2', 'now', NOON + 1);
    const removed = replaced.then(() => remove());
    const after = Array.from({ length: 20 }, (_, index) => start(index + 30));
    const results = await Promise.all([...before, ...after]);
    const haveBegun = results.includes('appended');
    await expect(removed).resolves.toBe(haveBegun ? 0 : 1);
    expect(await isThere('hash-1')).toBe(haveBegun);
  });

  it('keeps what a run names that starts while it looks', async () => {
    await harness.store.saveDefinition(sampleDefinition());
    const removing = remove();
    await harness.store.append(sampleAppend(RUN, { row: sampleRow(RUN) }));
    const isRemoved = (await removing) === 1;
    expect(await isThere('hash-1')).toBe(!isRemoved);
    await expect(remove()).resolves.toBe(0);
  });

  it('keeps what was registered again', async () => {
    await register('hash-1');
    await register('hash-2', 'now', NOON + 1);
    const [removed] = await Promise.all([remove(), register('hash-1', 'now', NOON + 2)]);
    expect(await isThere('hash-1')).toBe(true);
    expect(removed).toBeLessThanOrEqual(1);
    await expect(harness.store.listRegistrations({ namespace: null, opening: null })).resolves.toMatchObject([
      { hash: 'hash-1' },
    ]);
  });

  it('tells namespaces apart', async () => {
    await harness.store.append(sampleAppend(RUN, { row: sampleRow(RUN, { namespace: 'acme' }) }));
    await harness.store.saveDefinition(sampleDefinition());
    await harness.store.saveDefinition(sampleDefinition({ namespace: 'acme' }));
    await expect(remove()).resolves.toBe(1);
    expect([await isThere('hash-1'), await isThere('hash-1', 'acme')]).toEqual([false, true]);
  });

  it('deletes at most the limit', async () => {
    for (const hash of ['a', 'b', 'c']) await harness.store.saveDefinition(sampleDefinition({ hash }));
    await expect(remove(2)).resolves.toBe(2);
    await expect(remove(2)).resolves.toBe(1);
    await expect(harness.store.definitionsKept()).resolves.toMatchObject({ count: 0 });
  });

  it('ignores a registration of another boot where one is given, and deletes it too', async () => {
    await harness.store.register({
      definition: sampleDefinition({ hash: 'old', workflowId: 'left' }),
      opening: 'before',
    });
    await register('hash-1');
    await expect(remove()).resolves.toBe(0);
    await expect(remove(100, 'now')).resolves.toBe(1);
    expect([await isThere('old'), await isThere('hash-1')]).toEqual([false, true]);
    await expect(harness.store.listRegistrations({ namespace: null, opening: null })).resolves.toMatchObject([
      { workflowId: 'invoices' },
    ]);
  });
}
