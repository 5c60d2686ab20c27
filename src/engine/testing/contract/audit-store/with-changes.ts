import { accessOf } from '../../../ports/access/access-of.js';
import { sampleKey } from '../access-store/support/sample-key.js';
import { listed, NOON, sampleAct, targetsOf } from './support/sample-act.js';
import type { AuditStoreHarness } from './support/contract.js';

const BOUNDS = { mostOfOwner: 1, mostInAll: 10, now: NOON };
const definition = {
  namespace: 'acme',
  hash: 'hash-1',
  workflowId: 'invoices',
  yaml: 'a: 1',
  bindings: {},
  plan: null,
  registeredAt: NOON,
};

/** Promise 1. */
export default function withChangesContract(harness: AuditStoreHarness): void {
  const told = (target: string) => sampleAct({ action: 'key.make', target });

  it('is told of changes of keys, and of none that was refused', async () => {
    const access = accessOf(harness.store);
    const put = (id: string): Promise<string> =>
      access.putKey({ key: sampleKey(id), ...BOUNDS, audit: told(`make ${id}`) });
    expect([await put('a'), await put('b')]).toEqual(['kept', 'owner-full']);
    const rotate = { secretHash: 'second', formerUntil: NOON, now: NOON };
    await access.rotateKey({ id: 'a', ...rotate, audit: told('rotate a') });
    await access.rotateKey({ id: 'b', ...rotate, audit: told('rotate b') });
    await access.revokeKey({ id: 'a', now: NOON, audit: told('revoke a') });
    await access.revokeKey({ id: 'a', now: NOON, audit: told('revoke a again') });
    await access.revokeOwner({ owner: 'ann', now: NOON, keptSince: 0, audit: told('revoke ann') });
    expect(targetsOf(await listed(harness.audit))).toEqual(['revoke ann', 'revoke a', 'rotate a', 'make a']);
  });

  it('is told of no key whose id there is already', async () => {
    const access = accessOf(harness.store);
    const bounds = { ...BOUNDS, mostOfOwner: 5 };
    await access.putKey({ key: sampleKey('a'), ...bounds, audit: told('first') });
    await expect(access.putKey({ key: sampleKey('a'), ...bounds, audit: told('second') })).rejects.toThrow();
    expect(targetsOf(await listed(harness.audit))).toEqual(['first']);
  });

  it('is told of registrations, and of no workflow that was not there', async () => {
    const { store } = harness;
    await store.register({ definition, opening: 'o', audit: told('register') });
    const meant = { namespace: 'acme', workflowId: 'invoices', opening: 'o' };
    await store.unregister({ ...meant, audit: told('unregister') });
    await store.unregister({ ...meant, audit: told('unregister again') });
    await store.register({ definition, opening: 'o' });
    await store.unregister(meant);
    expect(targetsOf(await listed(harness.audit))).toEqual(['unregister', 'register']);
  });
}
