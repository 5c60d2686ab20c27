import { REVOCATION_SPREAD_MS, type PutKeyResult } from '../../../ports/access/access-store.js';
import type { AccessStoreHarness } from './support/contract.js';
import { DAY_MS, idsIn, NOON, put, sampleKey } from './support/sample-key.js';

export default function putKeyContract(harness: AccessStoreHarness): void {
  const counts = (results: readonly PutKeyResult[]): Readonly<Partial<Record<PutKeyResult, number>>> =>
    Object.fromEntries(
      [...Map.groupBy(results, (result) => result)].map(([result, all]) => [result, all.length]),
    );

  it('keeps a key as it was given', async () => {
    const bare = sampleKey('bare', { name: null, groups: [], grants: [] });
    const full = sampleKey('full', {
      formerHash: 'former hash',
      formerUntil: NOON + 5,
      madeByToken: { owner: 'ann', groups: ['billing', 'ops'] },
      madeBy: 'ann',
      lastUsedAt: NOON + 1,
      grants: [{ namespace: '*', roles: ['admin'] }, ...bare.grants],
    });
    for (const key of [bare, full]) await expect(put(harness.access, key)).resolves.toBe('kept');
    for (const key of [bare, full]) {
      await expect(harness.access.findKey({ id: key.id })).resolves.toEqual(key);
    }
    await expect(harness.access.findKey({ id: 'another' })).resolves.toBeNull();
  });

  it('rejects for an id that there is, and leaves that key as it is', async () => {
    await put(harness.access, sampleKey('a'));
    await expect(put(harness.access, sampleKey('a', { owner: 'bob' }))).rejects.toMatchObject({
      code: 'store',
      permanent: true,
    });
    await expect(harness.access.findKey({ id: 'a' })).resolves.toMatchObject({ owner: 'ann' });
  });

  it('keeps no more live ones of an owner than it is told, and of others all the same', async () => {
    const limits = { mostOfOwner: 2 };
    for (const id of ['a', 'b']) await put(harness.access, sampleKey(id), limits);
    await expect(put(harness.access, sampleKey('c'), limits)).resolves.toBe('owner-full');
    await expect(put(harness.access, sampleKey('d', { owner: 'bob' }), limits)).resolves.toBe('kept');
    await expect(idsIn(harness.access, 'ann')).resolves.toEqual(['b', 'a']);
  });

  it('keeps no more live ones in all than it is told', async () => {
    const limits = { mostInAll: 2 };
    for (const owner of ['ann', 'bob']) await put(harness.access, sampleKey(owner, { owner }), limits);
    await expect(put(harness.access, sampleKey('c', { owner: 'cid' }), limits)).resolves.toBe('full');
    await expect(idsIn(harness.access)).resolves.toEqual(['bob', 'ann']);
  });

  it('does not count what is revoked or has expired', async () => {
    const limits = { mostOfOwner: 1, mostInAll: 1 };
    await put(harness.access, sampleKey('a'), limits);
    await harness.access.revokeKey({ id: 'a', now: NOON });
    await expect(
      put(harness.access, sampleKey('b', { expiresAt: NOON + 5 }), { ...limits, now: NOON + 1 }),
    ).resolves.toBe('kept');
    await expect(put(harness.access, sampleKey('c'), { ...limits, now: NOON + 4 })).resolves.toBe(
      'owner-full',
    );
    await expect(put(harness.access, sampleKey('c'), { ...limits, now: NOON + 5 })).resolves.toBe('kept');
  });

  it('holds the limit of an owner for ten that are put at once, by two processes', async () => {
    const { access, elsewhere } = harness;
    await put(access, sampleKey('a'), { mostOfOwner: 4 });
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        put(index % 2 === 0 ? access : elsewhere, sampleKey(`k${index}`), { mostOfOwner: 4 }),
      ),
    );
    expect(counts(results)).toEqual({ kept: 3, 'owner-full': 7 });
    await expect(idsIn(access)).resolves.toHaveLength(4);
  });

  it('holds the limit in all for ten that are put at once, by two processes', async () => {
    const { access, elsewhere } = harness;
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        put(index % 2 === 0 ? access : elsewhere, sampleKey(`k${index}`, { owner: `o${index}` }), {
          mostInAll: 4,
        }),
      ),
    );
    expect(counts(results)).toEqual({ kept: 4, full: 6 });
    await expect(idsIn(access)).resolves.toHaveLength(4);
  });

  it.each(['revoked', 'expired', 'unknown'])('keeps none that a key made which is %s', async (end) => {
    const { access } = harness;
    const now = NOON + 5;
    if (end !== 'unknown')
      await put(access, sampleKey('maker', { expiresAt: end === 'expired' ? now : now + 1 }));
    if (end === 'revoked') await access.revokeKey({ id: 'maker', now });
    await expect(put(access, sampleKey('made', { madeByKey: 'maker' }), { now })).resolves.toBe(
      'maker-ended',
    );
    // What stands by itself is not made by a key that has ended, either.
    await expect(put(access, sampleKey('made'), { now, askedBy: 'maker' })).resolves.toBe('maker-ended');
    await expect(access.findKey({ id: 'made' })).resolves.toBeNull();
  });

  it('keeps what a live key makes, or asks for', async () => {
    const { access } = harness;
    await put(access, sampleKey('maker'));
    await expect(put(access, sampleKey('a', { madeByKey: 'maker' }), { askedBy: 'maker' })).resolves.toBe(
      'kept',
    );
    await expect(put(access, sampleKey('b'), { askedBy: 'maker' })).resolves.toBe('kept');
  });

  it('keeps none that a token of an owner makes of whose revocation not everybody has heard yet', async () => {
    const { access } = harness;
    await access.revokeOwner({ owner: 'ann', now: NOON, keptSince: NOON - DAY_MS });
    const made = sampleKey('made', { madeBy: 'ann', madeByToken: { owner: 'ann', groups: [] } });
    const at = (now: number): Promise<PutKeyResult> => put(access, made, { now });
    await expect(at(NOON + REVOCATION_SPREAD_MS - 1)).resolves.toBe('maker-ended');
    // Made by others, for this owner.
    await expect(put(access, sampleKey('b', { madeBy: 'root' }))).resolves.toBe('kept');
    await expect(at(NOON + REVOCATION_SPREAD_MS)).resolves.toBe('kept');
  });

  it('leaves nothing alive below a key that is revoked while it makes others, by two processes', async () => {
    const { access, elsewhere } = harness;
    await put(access, sampleKey('maker'));
    const made = Array.from({ length: 9 }, (_, index) => sampleKey(`k${index}`, { madeByKey: 'maker' }));
    const putting = made.map((key, index) => put(index % 2 === 0 ? access : elsewhere, key));
    const revoking = elsewhere.revokeKey({ id: 'maker', now: NOON + 1 });
    await Promise.all([...putting, revoking]);
    for (const { id } of made) {
      const found = await access.findKey({ id });
      expect(found === null || found.revokedAt === NOON + 1).toBe(true);
    }
  });

  it('keeps of those that have ended no more than there may be live ones of their owner, the newest', async () => {
    const { access } = harness;
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) {
      const made = { createdAt: NOON + index, expiresAt: NOON + 10 + index };
      await put(access, sampleKey(id, made), { mostOfOwner: 4 });
    }
    await access.revokeKey({ id: 'd', now: NOON + 4 });
    await put(access, sampleKey('of bob', { owner: 'bob', expiresAt: NOON + 1 }));
    // c lives for another while.
    await put(access, sampleKey('e', { createdAt: NOON + 9 }), { mostOfOwner: 2, now: NOON + 11 });
    await expect(idsIn(access, 'ann')).resolves.toEqual(['e', 'd', 'c', 'b']);
    await expect(idsIn(access, 'bob')).resolves.toEqual(['of bob']);
  });

  it('keeps of those that have ended no more than there may be live ones in all, the newest', async () => {
    const { access } = harness;
    for (const [index, owner] of ['ann', 'bob', 'cid'].entries()) {
      await put(access, sampleKey(owner, { owner, createdAt: NOON + index, expiresAt: NOON + 5 }));
    }
    await put(access, sampleKey('dee', { owner: 'dee', createdAt: NOON + 9 }), {
      mostInAll: 2,
      now: NOON + 9,
    });
    await expect(idsIn(access)).resolves.toEqual(['dee', 'cid', 'bob']);
  });
}
