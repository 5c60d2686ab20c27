import { MAX_LISTED_KEYS } from '../../../ports/access/access-store.js';
import type { AccessStoreHarness } from './support/contract.js';
import { idsIn, NOON, put, sampleKey } from './support/sample-key.js';

export default function listKeysContract(harness: AccessStoreHarness): void {
  it('has none at first', async () => {
    await expect(idsIn(harness.access)).resolves.toEqual([]);
  });

  it('has the newest first, those of an instant by their ids, also those that have ended', async () => {
    const { access } = harness;
    await put(access, sampleKey('b', { createdAt: NOON + 1, expiresAt: NOON + 2 }));
    for (const id of ['c', 'a']) await put(access, sampleKey(id));
    await put(access, sampleKey('d', { createdAt: NOON - 1, owner: 'bob' }));
    await access.revokeKey({ id: 'c', now: NOON });
    await expect(idsIn(access)).resolves.toEqual(['b', 'c', 'a', 'd']);
    await expect(idsIn(access, 'ann')).resolves.toEqual(['b', 'c', 'a']);
    await expect(idsIn(access, 'bob')).resolves.toEqual(['d']);
    await expect(idsIn(access, 'cid')).resolves.toEqual([]);
  });

  it.each([null, 'ann'])('goes on where the page before ended, of %s', async (owner) => {
    const { access } = harness;
    for (const [index, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      await put(access, sampleKey(id, { createdAt: NOON + Math.floor(index / 2) }));
    }
    const pages: (readonly string[])[] = [];
    let before: { readonly createdAt: number; readonly id: string } | null = null;
    for (;;) {
      const page: Awaited<ReturnType<typeof access.listKeys>> = await access.listKeys({
        owner,
        before,
        limit: 2,
      });
      if (page.length === 0) break;
      pages.push(page.map(({ id }) => id));
      before = page.at(-1)!;
    }
    expect(pages).toEqual([['e', 'd'], ['c', 'b'], ['a']]);
  });

  it('has no more at once than its bound, whatever is asked for', async () => {
    const { access } = harness;
    const limits = { mostOfOwner: 999, mostInAll: 999 };
    await Promise.all(
      Array.from({ length: MAX_LISTED_KEYS + 1 }, (_, index) => put(access, sampleKey(`k${index}`), limits)),
    );
    const page = { before: null, limit: 999 };
    await expect(access.listKeys({ owner: null, ...page })).resolves.toHaveLength(MAX_LISTED_KEYS);
    await expect(access.listKeys({ owner: 'ann', ...page })).resolves.toHaveLength(MAX_LISTED_KEYS);
  });
}
