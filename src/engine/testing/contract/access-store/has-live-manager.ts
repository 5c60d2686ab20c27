import type { Grant } from '../../../ports/access/principal.js';
import type { AccessStoreHarness } from './support/contract.js';
import { DAY_MS, NOON, put, sampleKey } from './support/sample-key.js';

export default function hasLiveManagerContract(harness: AccessStoreHarness): void {
  const ROLES = ['admin', 'keeper'];
  const has = (now = NOON): Promise<boolean> => harness.access.hasLiveManager({ roles: ROLES, now });
  const grants = (...all: Grant[]): { readonly grants: readonly Grant[] } => ({ grants: all });

  it('is false where no key has such a role in all namespaces', async () => {
    await expect(has()).resolves.toBe(false);
    await put(harness.access, sampleKey('a', grants({ namespace: 'acme', roles: ['admin'] })));
    await put(harness.access, sampleKey('b', grants({ namespace: '*', roles: ['viewer'] })));
    const apart = grants({ namespace: '*', roles: [] }, { namespace: 'acme', roles: ['keeper'] });
    await put(harness.access, sampleKey('c', apart));
    const ofSome = grants({ namespace: '*', roles: ['admin'], workflows: ['invoice-*'] });
    await put(harness.access, sampleKey('d', ofSome));
    await expect(has()).resolves.toBe(false);
  });

  it('is true while one lives that has', async () => {
    const several = grants({ namespace: 'acme', roles: [] }, { namespace: '*', roles: ['viewer', 'keeper'] });
    await put(harness.access, sampleKey('a', several));
    await expect(has()).resolves.toBe(true);
    await expect(has(NOON + DAY_MS - 1)).resolves.toBe(true);
    await expect(has(NOON + DAY_MS)).resolves.toBe(false);
    await expect(harness.access.hasLiveManager({ roles: ['admin'], now: NOON })).resolves.toBe(false);
    await expect(harness.access.hasLiveManager({ roles: [], now: NOON })).resolves.toBe(false);
    await harness.access.revokeKey({ id: 'a', now: NOON });
    await expect(has()).resolves.toBe(false);
  });

  it('finds one among hundreds that are granted something everywhere', async () => {
    const limits = { mostOfOwner: 999, mostInAll: 999 };
    const viewer = grants({ namespace: '*', roles: ['viewer'] });
    await Promise.all(
      Array.from({ length: 450 }, (_, index) => put(harness.access, sampleKey(`k${index}`, viewer), limits)),
    );
    await expect(has()).resolves.toBe(false);
    await put(harness.access, sampleKey('z', grants({ namespace: '*', roles: ['admin'] })), limits);
    await expect(has()).resolves.toBe(true);
  });
}
