import type { AccessStoreHarness } from './support/contract.js';
import { DAY_MS, NOON, put, revokedIn, sampleKey } from './support/sample-key.js';

export default function revokeKeyContract(harness: AccessStoreHarness): void {
  it('revokes it once', async () => {
    const { access } = harness;
    await put(access, sampleKey('a'));
    await expect(access.revokeKey({ id: 'a', now: NOON + 1 })).resolves.toBe(true);
    await expect(access.revokeKey({ id: 'a', now: NOON + 2 })).resolves.toBe(false);
    await expect(access.findKey({ id: 'a' })).resolves.toEqual(sampleKey('a', { revokedAt: NOON + 1 }));
    await expect(access.revokeKey({ id: 'unknown', now: NOON })).resolves.toBe(false);
  });

  it('revokes one that has expired, too', async () => {
    await put(harness.access, sampleKey('a'));
    await expect(harness.access.revokeKey({ id: 'a', now: NOON + DAY_MS })).resolves.toBe(true);
  });

  it('revokes what it made, to any depth, and nothing else', async () => {
    const { access } = harness;
    const limits = { mostOfOwner: 99, mostInAll: 99 };
    await put(access, sampleKey('k0'), limits);
    const ids = Array.from({ length: 40 }, (_, index) => `k${index + 1}`);
    for (const [index, id] of ids.entries()) {
      await put(access, sampleKey(id, { madeByKey: `k${index}`, owner: `o${index % 3}` }), limits);
    }
    await put(access, sampleKey('beside', { madeByKey: 'k0' }), limits);
    await put(access, sampleKey('alone', { madeBy: 'ann' }), limits);
    await access.revokeKey({ id: 'k1', now: NOON + 1 });
    await expect(revokedIn(access)).resolves.toEqual(ids.toSorted());
  });

  it('leaves those that were revoked before at their instant, and reaches what lies below them', async () => {
    const { access } = harness;
    await put(access, sampleKey('a'));
    await put(access, sampleKey('b', { madeByKey: 'a' }));
    // Put as it is read back, in whatever order: revoked already.
    await put(access, sampleKey('c', { madeByKey: 'b', revokedAt: NOON - 1 }));
    await put(access, sampleKey('d', { madeByKey: 'b' }));
    await access.revokeKey({ id: 'b', now: NOON + 1 });
    await access.revokeKey({ id: 'a', now: NOON + 2 });
    const revokedAt = async (id: string) => (await access.findKey({ id }))?.revokedAt;
    await expect(Promise.all(['a', 'b', 'c', 'd'].map(revokedAt))).resolves.toEqual([
      NOON + 2,
      NOON + 1,
      NOON - 1,
      NOON + 1,
    ]);
  });
}
