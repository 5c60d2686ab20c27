import type { AccessStoreHarness } from './support/contract.js';
import { DAY_MS, NOON, put, sampleKey } from './support/sample-key.js';

export default function rotateKeyContract(harness: AccessStoreHarness): void {
  const rotate = (secretHash: string, formerUntil: number, now = NOON, id = 'a'): Promise<boolean> =>
    harness.access.rotateKey({ id, secretHash, formerUntil, now });

  it('gives it another secret, and keeps the one before until then; the rest stays', async () => {
    await put(harness.access, sampleKey('a'));
    await expect(rotate('second', NOON + 5)).resolves.toBe(true);
    await expect(harness.access.findKey({ id: 'a' })).resolves.toEqual(
      sampleKey('a', { secretHash: 'second', formerHash: 'hash of a', formerUntil: NOON + 5 }),
    );
  });

  it('forgets the secret before at once where it is told so, and so one from an earlier rotation', async () => {
    await put(harness.access, sampleKey('a'));
    await rotate('second', NOON + 5);
    await rotate('third', NOON + 6);
    await expect(harness.access.findKey({ id: 'a' })).resolves.toMatchObject({
      secretHash: 'third',
      formerHash: 'second',
      formerUntil: NOON + 6,
    });
    await rotate('fourth', NOON + 1, NOON + 1);
    await expect(harness.access.findKey({ id: 'a' })).resolves.toEqual(
      sampleKey('a', { secretHash: 'fourth' }),
    );
  });

  it('leaves what is unknown, revoked or has expired as it is', async () => {
    const { access } = harness;
    for (const id of ['revoked', 'expired']) await put(access, sampleKey(id));
    await access.revokeKey({ id: 'revoked', now: NOON });
    await expect(rotate('second', NOON + 5, NOON, 'revoked')).resolves.toBe(false);
    await expect(rotate('second', NOON + 2 * DAY_MS, NOON + DAY_MS, 'expired')).resolves.toBe(false);
    await expect(rotate('second', NOON + 5, NOON, 'unknown')).resolves.toBe(false);
    for (const id of ['revoked', 'expired']) {
      await expect(access.findKey({ id })).resolves.toMatchObject({
        secretHash: `hash of ${id}`,
        formerHash: null,
      });
    }
  });

  it('has, of several at once, the one before the last as the former', async () => {
    const { access, elsewhere } = harness;
    await put(access, sampleKey('a'));
    const secrets = ['b', 'c', 'd', 'e'];
    const rotated = await Promise.all(
      secrets.map((secretHash, index) =>
        (index % 2 === 0 ? access : elsewhere).rotateKey({
          id: 'a',
          secretHash,
          formerUntil: NOON + 5,
          now: NOON,
        }),
      ),
    );
    expect(rotated).toEqual([true, true, true, true]);
    const key = await access.findKey({ id: 'a' });
    expect(secrets).toContain(key?.secretHash);
    expect(secrets).toContain(key?.formerHash);
    expect(key?.formerHash).not.toBe(key?.secretHash);
  });
}
