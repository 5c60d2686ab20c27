import { sampleEntry, type MemoryIndexHarness } from './support/contract.js';

/** A follower that died after it had changed the memory does the same again. */
export default function orderContract(harness: MemoryIndexHarness): void {
  const search = async (query: string): Promise<readonly string[]> =>
    (await harness.memory.search({ namespace: 'default', query, topK: 10 })).map(({ id }) => id).sort();

  const change = async (): Promise<void> => {
    await harness.memory.put({ entries: [sampleEntry('a', 'apples', 'run-1')] });
    await harness.memory.put({ entries: [sampleEntry('b', 'apples', 'run-2')] });
    await harness.memory.removeRuns({ runIds: ['run-1'] });
    await harness.memory.put({ entries: [sampleEntry('c', 'apples', 'run-2')] });
  };

  it('the same changes in the same order leave the same', async () => {
    await change();
    await expect(search('apples')).resolves.toEqual(['b', 'c']);
    await change();
    await expect(search('apples')).resolves.toEqual(['b', 'c']);
  });

  it('a removal comes after what was put before it, even when not awaited', async () => {
    const entries = Array.from({ length: 60 }, (_, index) =>
      sampleEntry(`${index}`, `apples ${'filler '.repeat(1_000)}`, 'run-1'),
    );
    await Promise.all([harness.memory.put({ entries }), harness.memory.removeRuns({ runIds: ['run-1'] })]);
    await expect(search('apples')).resolves.toEqual([]);
  });

  it('what is put after a removal stays, even when not awaited', async () => {
    await harness.memory.put({ entries: [sampleEntry('a', 'apples', 'run-1')] });
    await Promise.all([
      harness.memory.removeRuns({ runIds: ['run-1'] }),
      harness.memory.put({ entries: [sampleEntry('b', 'apples', 'run-1')] }),
    ]);
    await expect(search('apples')).resolves.toEqual(['b']);
  });
}
