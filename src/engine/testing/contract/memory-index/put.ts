import { sampleEntry, type MemoryIndexHarness } from './support/contract.js';

export default function putContract(harness: MemoryIndexHarness): void {
  const search = async (query: string): Promise<readonly string[]> =>
    (await harness.memory.search({ namespace: 'default', query, topK: 10 })).map(({ id }) => id);

  it('replaces an entry of the same id', async () => {
    await harness.memory.put({ entries: [sampleEntry('a', 'apples')] });
    await harness.memory.put({ entries: [sampleEntry('a', 'pears', 'run-2')] });
    await expect(search('apples')).resolves.toEqual([]);
    const [hit] = await harness.memory.search({ namespace: 'default', query: 'pears', topK: 10 });
    expect(hit).toEqual({ ...sampleEntry('a', 'pears', 'run-2'), score: 1 });
  });

  it('takes the last of two entries with one id in one call', async () => {
    await harness.memory.put({ entries: [sampleEntry('a', 'apples'), sampleEntry('a', 'pears')] });
    await expect(search('apples pears')).resolves.toEqual(['a']);
    await expect(search('apples')).resolves.toEqual([]);
  });

  it.each([
    ['no entries', []],
    ['an empty text', [sampleEntry('a', '')]],
    ['signs only', [sampleEntry('a', '"*(-)')]],
    ['half of a surrogate pair and a zero', [sampleEntry('a', '\ud83d\u0000')]],
    ['a word of a megabyte', [sampleEntry('a', 'x'.repeat(1_000_000))]],
    ['metadata without a run', [{ id: 'a', content: 'apples', metadata: { tags: ['x', null, 1.5] } }]],
  ])('takes %s', async (_what, entries) => {
    await harness.memory.put({ entries: [...entries, sampleEntry('other', 'plums')] });
    await expect(search('plums')).resolves.toEqual(['other']);
  });

  it('returns metadata as it was put', async () => {
    const metadata = { tags: ['x', null, 1.5], nested: { 'ü"': true } };
    await harness.memory.put({ entries: [{ id: 'a', content: 'apples', metadata }] });
    const [hit] = await harness.memory.search({ namespace: 'default', query: 'apples', topK: 1 });
    expect(hit?.metadata).toEqual(metadata);
  });
}
