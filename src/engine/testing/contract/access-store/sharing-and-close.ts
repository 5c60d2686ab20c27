import type { StoredKey } from '../../../ports/access/access-store.js';
import type { AccessStoreHarness } from './support/contract.js';
import { NOON, put, sampleKey } from './support/sample-key.js';

/** Promise 7, and the end. */
export default function sharingAndCloseContract(harness: AccessStoreHarness): void {
  it('keeps a key as it was given, whatever becomes of the caller’s objects', async () => {
    const groups = ['billing'];
    const grant = { namespace: 'acme', roles: ['viewer'], workflows: ['a'] };
    const grants = [grant];
    const putting = put(harness.access, sampleKey('a', { groups, grants }));
    groups.push('admins');
    grant.namespace = '*';
    grant.roles.push('admin');
    grants.push(grant);
    await putting;
    await expect(harness.access.findKey({ id: 'a' })).resolves.toEqual(
      sampleKey('a', {
        groups: ['billing'],
        grants: [{ namespace: 'acme', roles: ['viewer'], workflows: ['a'] }],
      }),
    );
  });

  it('never changes what it returned, and is not touched by a caller that does', async () => {
    const { access } = harness;
    await put(access, sampleKey('a'));
    const [found, [listed]] = [
      await access.findKey({ id: 'a' }),
      await access.listKeys({ owner: null, before: null, limit: 1 }),
    ];
    await access.rotateKey({ id: 'a', secretHash: 'second', formerUntil: NOON + 5, now: NOON });
    await access.revokeKey({ id: 'a', now: NOON });
    expect([found, listed]).toEqual([sampleKey('a'), sampleKey('a')]);
    for (const key of [found, listed]) spoil(key!);
    await expect(access.findKey({ id: 'a' })).resolves.toMatchObject({ groups: ['billing'], owner: 'ann' });
  });

  it('is closed with its store: then every method rejects', async () => {
    const { access } = harness;
    await harness.close();
    for (const call of [
      () => put(access, sampleKey('a')),
      () => access.findKey({ id: 'a' }),
      () => access.listKeys({ owner: null, before: null, limit: 1 }),
      () => access.rotateKey({ id: 'a', secretHash: 'b', formerUntil: NOON, now: NOON }),
      () => access.revokeKey({ id: 'a', now: NOON }),
      () => access.markUsed({ ids: ['a'], at: NOON }),
      () => access.hasLiveManager({ roles: [], now: NOON }),
      () => access.revokeOwner({ owner: 'ann', now: NOON, keptSince: NOON }),
      () => access.ownerRevokedAt({ owner: 'ann' }),
      () => access.accessCounter(),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'store' });
    }
  });

  /** As far as it lets itself be. */
  function spoil(key: StoredKey): void {
    for (const spoilt of [
      () => (key.groups as string[]).push('admins'),
      () => Object.assign(key, { owner: 'mallory' }),
    ]) {
      try {
        spoilt();
      } catch {
        // Frozen: so much the better.
      }
    }
  }
}
