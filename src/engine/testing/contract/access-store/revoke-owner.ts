import type { AccessStoreHarness } from './support/contract.js';
import { DAY_MS, NOON, put, revokedIn, sampleKey } from './support/sample-key.js';

export default function revokeOwnerContract(harness: AccessStoreHarness): void {
  const revoke = (owner: string, now = NOON, keptSince = NOON - DAY_MS): Promise<void> =>
    harness.access.revokeOwner({ owner, now, keptSince });
  const revokedAt = (owner: string): Promise<number | null> => harness.access.ownerRevokedAt({ owner });

  it('revokes the keys of the owner, with what they made for whomever, and nobody else’s', async () => {
    const { access } = harness;
    await put(access, sampleKey('a'));
    await put(access, sampleKey('b', { owner: 'bob', madeByKey: 'a' }));
    await put(access, sampleKey('c', { owner: 'cid', madeByKey: 'b' }));
    await put(access, sampleKey('d', { owner: 'bob', madeBy: 'ann' }));
    await revoke('ann', NOON + 1);
    await expect(revokedIn(access)).resolves.toEqual(['a', 'b', 'c']);
    await expect(access.findKey({ id: 'c' })).resolves.toMatchObject({ revokedAt: NOON + 1 });
  });

  it('refuses the tokens of the owner up to then, also of one without keys', async () => {
    await expect(revokedAt('ann')).resolves.toBeNull();
    await revoke('ann', NOON);
    await expect(revokedAt('ann')).resolves.toBe(NOON);
    await expect(revokedAt('Ann')).resolves.toBeNull();
    await expect(harness.elsewhere.ownerRevokedAt({ owner: 'ann' })).resolves.toBe(NOON);
  });

  it('never goes back', async () => {
    await revoke('ann', NOON + 5);
    await revoke('ann', NOON);
    await expect(revokedAt('ann')).resolves.toBe(NOON + 5);
    await revoke('ann', NOON + 6);
    await expect(revokedAt('ann')).resolves.toBe(NOON + 6);
  });

  it('keeps no revocation that is older than it is told', async () => {
    await revoke('ann', NOON);
    await revoke('bob', NOON + 1);
    await revoke('cid', NOON + 9, NOON + 1);
    await expect(Promise.all(['ann', 'bob', 'cid'].map(revokedAt))).resolves.toEqual([
      null,
      NOON + 1,
      NOON + 9,
    ]);
  });

  it('leaves the keys alone that the owner gets afterwards', async () => {
    await revoke('ann', NOON);
    await put(harness.access, sampleKey('a', { madeBy: 'root' }));
    await expect(revokedIn(harness.access)).resolves.toEqual([]);
  });
}
