import {
  idsIn,
  NOON,
  put,
  sampleKey,
} from '../../src/engine/testing/contract/access-store/support/sample-key.js';
import { sampleAppend, sampleRunId } from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

describe('keys in a SQLite data folder', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: SqliteRunStore;

  const opened = async (): Promise<SqliteRunStore> => {
    const made = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await made.open();
    return made;
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
    store = await opened();
  });

  afterEach(async () => {
    await store.close();
    await folder.remove();
  });

  it('outlive the process, with what was revoked and how far the counter is', async () => {
    await put(store.access, sampleKey('a'));
    await put(store.access, sampleKey('b', { owner: 'bob' }));
    await store.access.revokeOwner({ owner: 'ann', now: NOON + 1, keptSince: NOON });
    await store.access.markUsed({ ids: ['b'], at: NOON + 2 });
    const counter = await store.access.accessCounter();
    await store.close();
    store = await opened();
    await expect(store.access.findKey({ id: 'a' })).resolves.toEqual(sampleKey('a', { revokedAt: NOON + 1 }));
    await expect(store.access.findKey({ id: 'b' })).resolves.toMatchObject({ lastUsedAt: NOON + 2 });
    await expect(store.access.ownerRevokedAt({ owner: 'ann' })).resolves.toBe(NOON + 1);
    await expect(store.access.accessCounter()).resolves.toBe(counter);
  });

  it('are written with appends in one group, where one that cannot be fails alone and leaves nothing', async () => {
    await put(store.access, sampleKey('a'));
    const before = await store.access.accessCounter();
    const together = await Promise.allSettled([
      store.append(sampleAppend(sampleRunId(1))),
      put(store.access, sampleKey('a', { owner: 'bob' })),
      put(store.access, sampleKey('b')),
      store.append(sampleAppend(sampleRunId(2))),
    ]);
    expect(together).toMatchObject([
      { value: 'appended' },
      { status: 'rejected', reason: { code: 'store', permanent: true } },
      { value: 'kept' },
      { value: 'appended' },
    ]);
    await expect(idsIn(store.access)).resolves.toEqual(['b', 'a']);
    await expect(store.access.accessCounter()).resolves.toBe(before + 1);
  });
});
