import type { AccessStoreHarness } from './support/contract.js';
import { NOON, put, sampleKey } from './support/sample-key.js';

export default function markUsedContract(harness: AccessStoreHarness): void {
  const usedAt = async (id: string) => (await harness.access.findKey({ id }))?.lastUsedAt;

  it('notes the use of each, and of no other', async () => {
    for (const id of ['a', 'b', 'c']) await put(harness.access, sampleKey(id));
    await harness.access.markUsed({ ids: ['a', 'c', 'unknown'], at: NOON + 1 });
    await expect(Promise.all(['a', 'b', 'c'].map(usedAt))).resolves.toEqual([NOON + 1, null, NOON + 1]);
  });

  it('keeps the latest', async () => {
    await put(harness.access, sampleKey('a'));
    await harness.access.markUsed({ ids: ['a'], at: NOON + 5 });
    await harness.access.markUsed({ ids: ['a'], at: NOON + 1 });
    await expect(usedAt('a')).resolves.toBe(NOON + 5);
  });

  it('takes none', async () => {
    await expect(harness.access.markUsed({ ids: [], at: NOON })).resolves.toBeUndefined();
  });

  it('notes the same keys for two processes at once', async () => {
    const ids = Array.from({ length: 15 }, (_, index) => `k${index}`);
    const { access, elsewhere } = harness;
    for (const id of ids) await put(access, sampleKey(id), { mostOfOwner: 99 });
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0
          ? access.markUsed({ ids, at: NOON + index })
          : elsewhere.markUsed({ ids: ids.toReversed(), at: NOON + index }),
      ),
    );
    for (const id of ids) await expect(usedAt(id)).resolves.toBe(NOON + 9);
  });
}
