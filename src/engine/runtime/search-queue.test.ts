import type { MemoryHit } from '../ports/memory/memory-index.js';
import { SearchQueue } from './search-queue.js';

/** A memory whose searches end when the test says so. */
function world() {
  const under: { readonly query: string; readonly end: (error?: Error) => void }[] = [];
  const index = {
    search: ({ query }: { readonly query: string }) =>
      new Promise<readonly MemoryHit[]>((resolve, reject) => {
        under.push({ query, end: (error) => (error === undefined ? resolve([]) : reject(error)) });
      }),
  };
  const said: string[] = [];
  const searches = new SearchQueue(index, async () => {
    said.push(`indexed before search ${under.length + 1}`);
  });
  const search = (query: string) =>
    searches.search({ namespace: 'default', query, topK: 5 }, query.charAt(0));
  return { searches, search, under, said, asked: () => under.map(({ query }) => query) };
}
const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('searches of the memory', () => {
  it('are done one at a time, in rounds over their callers', async () => {
    const { search, under, asked } = world();
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map(search);
    await tick();
    for (let n = 0; n < all.length; n += 1) {
      expect(under).toHaveLength(n + 1);
      under[n]?.end();
      await tick();
    }
    expect(asked()).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
    await expect(Promise.all(all)).resolves.toHaveLength(5);
  });

  it('find what was said before: that is indexed first', async () => {
    const { search, under, said } = world();
    const searched = search('a');
    expect([said, under]).toEqual([['indexed before search 1'], []]);
    await tick();
    under[0]?.end();
    await searched;
  });

  it('continue after one that failed', async () => {
    const { search, under } = world();
    const [first, second] = ['a1', 'b1'].map(search);
    await tick();
    under[0]?.end(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await tick();
    under[1]?.end();
    await expect(second).resolves.toEqual([]);
  });

  it('of a caller with very many are refused, those of others are not', async () => {
    const { search, under } = world();
    const many = Array.from({ length: 1_001 }, (_, n) => search(`a${n}`));
    await expect(search('a')).rejects.toMatchObject({ code: 'busy' });
    const other = search('b');
    await expect(many[1_000]).rejects.toMatchObject({ code: 'busy' });
    under[0]?.end();
    await tick();
    under[1]?.end();
    await expect(other).resolves.toEqual([]);
  });

  it('that wait are refused when the engine is closed', async () => {
    const { searches, search } = world();
    const [, waiting] = ['a1', 'a2'].map(search);
    await tick();
    const justAsked = search('a3');
    searches.close();
    await expect(waiting).rejects.toMatchObject({ code: 'shutting-down' });
    await expect(justAsked).rejects.toMatchObject({ code: 'shutting-down' });
  });
});
