import type { AccessStoreHarness } from './support/contract.js';
import { NOON, put, sampleKey } from './support/sample-key.js';

export default function counterContract(harness: AccessStoreHarness): void {
  const revocation = { owner: 'ann', now: NOON, keptSince: NOON };
  const rotation = { id: 'a', secretHash: 'second', formerUntil: NOON, now: NOON };

  it('moves with each change, and every process sees the same', async () => {
    const { access, elsewhere } = harness;
    const seen = [await access.accessCounter()];
    for (const change of [
      () => put(access, sampleKey('a')),
      () => elsewhere.rotateKey(rotation),
      () => access.revokeKey({ id: 'a', now: NOON }),
      () => elsewhere.revokeOwner(revocation),
    ]) {
      await change();
      const own = await access.accessCounter();
      await expect(elsewhere.accessCounter()).resolves.toBe(own);
      seen.push(own);
    }
    expect(new Set(seen).size).toBe(5);
  });

  it('stays where nothing changed, and where a key was only used', async () => {
    const { access } = harness;
    await put(access, sampleKey('a'));
    const before = await access.accessCounter();
    await access.markUsed({ ids: ['a'], at: NOON });
    await put(access, sampleKey('b'), { mostOfOwner: 1 });
    await put(access, sampleKey('b'), { mostInAll: 1 });
    await put(access, sampleKey('b', { madeByKey: 'unknown' }));
    await access.rotateKey({ ...rotation, id: 'unknown' });
    await access.revokeKey({ id: 'unknown', now: NOON });
    await access.hasLiveManager({ roles: ['admin'], now: NOON });
    await expect(access.accessCounter()).resolves.toBe(before);
  });

  it('stays where what was to change could not', async () => {
    await put(harness.access, sampleKey('a'));
    const before = await harness.access.accessCounter();
    await expect(put(harness.access, sampleKey('a'))).rejects.toMatchObject({ code: 'store' });
    await expect(harness.access.accessCounter()).resolves.toBe(before);
  });

  it('has moved for each of many changes at once', async () => {
    const { access, elsewhere } = harness;
    const before = await access.accessCounter();
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        put(index % 2 === 0 ? access : elsewhere, sampleKey(`k${index}`)),
      ),
    );
    expect((await elsewhere.accessCounter()) - before).toBe(8);
  });

  it('is watched: who watches is called after each change of this process, and not once they ended it', async () => {
    const { access } = harness;
    let calls = 0;
    const end = access.watchAccess(() => (calls += 1));
    await put(access, sampleKey('a'));
    await access.rotateKey(rotation);
    await access.markUsed({ ids: ['a'], at: NOON });
    await access.revokeKey({ id: 'unknown', now: NOON });
    expect(calls).toBe(2);
    end();
    end();
    await access.revokeKey({ id: 'a', now: NOON });
    await access.revokeOwner(revocation);
    expect(calls).toBe(2);
  });
}
