import type { Registration } from '../../../../ports/store/definition-store.js';
import type { RunStoreHarness } from '../support/contract.js';
import { NOON, sampleDefinition } from '../support/sample-run.js';

export default function registrationsContract(harness: RunStoreHarness): void {
  const register = (workflowId: string, bootId: string, changes: object = {}): Promise<void> =>
    harness.store.register({
      definition: sampleDefinition({ workflowId, hash: `hash of ${workflowId}`, ...changes }),
      opening: bootId,
    });
  const registration = (workflowId: string, changes: Partial<Registration> = {}): Registration => ({
    namespace: 'default',
    workflowId,
    hash: `hash of ${workflowId}`,
    registeredAt: NOON,
    ...changes,
  });
  const read = (workflowId: string, bootId: string | null): Promise<Registration | null> =>
    harness.store.readRegistration({ namespace: 'default', workflowId, opening: bootId });
  const list = async (
    bootId: string | null,
    namespace: string | null = 'default',
  ): Promise<readonly string[]> =>
    (await harness.store.listRegistrations({ namespace, opening: bootId })).map(
      ({ workflowId }) => workflowId,
    );

  it('are none at first', async () => {
    await expect(read('a', null)).resolves.toBeNull();
    await expect(list(null)).resolves.toEqual([]);
  });

  it('are read back, with their definitions', async () => {
    await register('a', 'one');
    await expect(read('a', null)).resolves.toEqual(registration('a'));
    await expect(read('a', 'one')).resolves.toEqual(registration('a'));
    await expect(
      harness.store.readDefinition({ namespace: 'default', hash: 'hash of a' }),
    ).resolves.toMatchObject({ workflowId: 'a' });
  });

  it('are replaced by a later one, and the earlier definition stays', async () => {
    await register('a', 'one', { hash: 'old' });
    await register('a', 'one', { registeredAt: NOON + 1 });
    await expect(read('a', null)).resolves.toEqual(registration('a', { registeredAt: NOON + 1 }));
    await expect(list(null)).resolves.toEqual(['a']);
    await expect(harness.store.readDefinition({ namespace: 'default', hash: 'old' })).resolves.not.toBeNull();
  });

  it('count only for the boot that made them, when one is named', async () => {
    await register('a', 'one');
    await register('b', 'one');
    await register('a', 'two');
    await expect(read('a', 'one')).resolves.toBeNull();
    await expect(read('a', 'two')).resolves.not.toBeNull();
    await expect(list('one')).resolves.toEqual(['b']);
    await expect(list('two')).resolves.toEqual(['a']);
    await expect(list('three')).resolves.toEqual([]);
  });

  it('are listed in the order of first registrations, those of a boot in its own', async () => {
    for (const workflowId of ['b', 'c', 'a']) await register(workflowId, 'one');
    await register('b', 'one');
    await expect(list('one')).resolves.toEqual(['b', 'c', 'a']);
    for (const workflowId of ['a', 'd', 'b', 'a']) await register(workflowId, 'two');
    await expect(list('two')).resolves.toEqual(['a', 'd', 'b']);
    await expect(list(null)).resolves.toEqual(['b', 'c', 'a', 'd']);
  });

  it('are gone once they are removed, and their definitions stay', async () => {
    const remove = (workflowId: string, opening: string | null = null, namespace = 'default') =>
      harness.store.unregister({ namespace, workflowId, opening });
    await expect(remove('a')).resolves.toBe(false);
    await register('a', 'one');
    await register('a', 'one', { namespace: 'acme' });
    await register('b', 'two');
    await expect(remove('a', 'two')).resolves.toBe(false);
    await expect(remove('a', 'one')).resolves.toBe(true);
    await expect(remove('a', 'one')).resolves.toBe(false);
    await expect(remove('b')).resolves.toBe(true);
    await expect(list(null, null)).resolves.toEqual(['a']);
    await expect(
      harness.store.readDefinition({ namespace: 'default', hash: 'hash of a' }),
    ).resolves.not.toBeNull();
    await register('a', 'one');
    await expect(list('one')).resolves.toEqual(['a']);
  });

  it('belong to one namespace', async () => {
    await register('a', 'one');
    await register('a', 'one', { namespace: 'acme', hash: 'theirs' });
    await register('b', 'one', { namespace: 'acme' });
    await expect(read('a', 'one')).resolves.toEqual(registration('a'));
    await expect(
      harness.store.readRegistration({ namespace: 'acme', workflowId: 'a', opening: 'one' }),
    ).resolves.toEqual(registration('a', { namespace: 'acme', hash: 'theirs' }));
    await expect(list('one')).resolves.toEqual(['a']);
    await expect(list('one', 'acme')).resolves.toEqual(['a', 'b']);
    await expect(list(null, null)).resolves.toEqual(['a', 'a', 'b']);
  });
}
