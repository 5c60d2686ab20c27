import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { StoreError } from '../../src/errors/service-errors.js';
import { sampleEntry } from '../../src/engine/testing/contract/memory-index/support/contract.js';
import { sampleAppend, sampleRunId } from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { SqliteMemoryIndex } from '../../src/storage/sqlite/sqlite-memory-index.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

const EVERYTHING = { lanes: null, limit: 100 } as const;

/** Threads other than the store's writer cannot be started here: whoever needs one is told so. */
describe('a SQLite data folder at rest', () => {
  let data: Awaited<ReturnType<typeof temporaryFolder>>;
  let workers: Awaited<ReturnType<typeof temporaryFolder>>;
  let onlyWriter: URL;

  beforeEach(async () => {
    [data, workers] = await Promise.all([temporaryFolder(), temporaryFolder()]);
    await symlink(fileURLToPath(new URL('writer', builtWorkers)), join(workers.path, 'writer'));
    onlyWriter = pathToFileURL(`${workers.path}/`);
  });

  afterEach(async () => {
    await Promise.all([data.remove(), workers.remove()]);
  });

  it('is opened, looked through and checked without a reader, and asks for one where there is something to read', async () => {
    const store = new SqliteRunStore({ folder: data.path, workers: onlyWriter });
    await store.open();
    try {
      await expect(store.listUnfinished({ ...EVERYTHING, afterRunId: null })).resolves.toEqual([]);
      await expect(store.listDue({ ...EVERYTHING, before: Date.now(), after: null })).resolves.toEqual([]);
      await expect(store.listUnindexed({ limit: 100 })).resolves.toEqual([]);
      await expect(store.readAll({ afterPosition: 0, limit: 100 })).resolves.toEqual([]);
      await store.check({ deep: true });
      await store.append(sampleAppend(sampleRunId(1)));
      await store.check({ deep: true });
      await expect(store.countStanding()).rejects.toThrow(StoreError);
    } finally {
      await store.close();
    }
  });

  it('has a memory whose thread begins with the first text or search', async () => {
    const memory = new SqliteMemoryIndex({ folder: data.path, workers: onlyWriter });
    try {
      await expect(memory.open()).resolves.toEqual({ isNew: true });
      await expect(memory.put({ entries: [sampleEntry('a', 'apples')] })).rejects.toThrow(StoreError);
    } finally {
      await memory.close();
    }
  });
});
