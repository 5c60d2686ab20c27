import { sampleEntry, type MemoryIndexHarness } from './support/contract.js';

export default function removeRunsContract(harness: MemoryIndexHarness): void {
  const search = async (query: string): Promise<readonly string[]> =>
    (await harness.memory.search({ namespace: 'default', query, topK: 10 })).map(({ id }) => id).sort();

  beforeEach(async () => {
    await harness.memory.put({
      entries: [
        sampleEntry('a', 'apples', 'run-1'),
        sampleEntry('b', 'apples', 'run-2'),
        sampleEntry('c', 'apples', 'run-1'),
        { id: 'd', content: 'apples', metadata: {} },
      ],
    });
  });

  it('forgets what those runs left, and nothing else', async () => {
    await harness.memory.removeRuns({ runIds: ['run-1', 'unknown'] });
    await expect(search('apples')).resolves.toEqual(['b', 'd']);
  });

  it('goes by the run of the newest entry with an id', async () => {
    await harness.memory.put({ entries: [sampleEntry('a', 'apples', 'run-2')] });
    await harness.memory.removeRuns({ runIds: ['run-1'] });
    await expect(search('apples')).resolves.toEqual(['a', 'b', 'd']);
  });

  it('takes no runs', async () => {
    await harness.memory.removeRuns({ runIds: [] });
    await expect(search('apples')).resolves.toEqual(['a', 'b', 'c', 'd']);
  });
}
