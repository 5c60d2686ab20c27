import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../src/errors/service-errors.js';
import {
  sampleAppend,
  sampleDefinition,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

const RUN = sampleRunId(1);
/** The store still writes its side files into the folder, which may fail a removal half way: it is tried again. */
const removeUnderWriters = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, maxRetries: 20, retryDelay: 25 });

const LOST = 'The data folder was removed or replaced while the service ran: put the same folder back';

describe('a data folder that is lost under the running service', () => {
  let outer: Awaited<ReturnType<typeof temporaryFolder>>;
  let path: string;
  let store: SqliteRunStore;

  beforeEach(async () => {
    outer = await temporaryFolder();
    path = join(outer.path, 'data');
    store = new SqliteRunStore({ folder: path, workers: builtWorkers });
    await store.open();
    await store.append(sampleAppend(RUN));
  });

  afterEach(async () => {
    await store.close();
    await outer.remove();
  });

  it.each([
    ['removed', (): Promise<void> => removeUnderWriters(path)],
    ['moved away', (): Promise<void> => rename(path, `${path}-old`)],
    [
      'replaced by a copy',
      async (): Promise<void> => {
        await cp(path, `${path}-copy`, { recursive: true });
        await removeUnderWriters(path);
        await rename(`${path}-copy`, path);
      },
    ],
    ['replaced by an empty one', (): Promise<void> => removeUnderWriters(path).then(() => mkdir(path))],
    ['without its database', (): Promise<void> => rm(join(path, 'runs.db'))],
    ['without its log', (): Promise<void> => rm(join(path, 'runs.db-wal'))],
  ])('serves nothing once it was noticed: %s', async (_what, lose) => {
    await lose();
    const error: unknown = await store.check({ deep: false }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ permanent: false, message: expect.stringContaining(LOST) });
    await expect(store.check({ deep: true })).rejects.toThrow(LOST);
    await expect(store.append(sampleAppend(sampleRunId(2)))).rejects.toThrow(LOST);
    await expect(store.register({ definition: sampleDefinition(), opening: 'one' })).rejects.toThrow(LOST);
    await expect(store.load({ runId: RUN, atSeq: null })).rejects.toThrow(LOST);
    await expect(store.readAll({ afterPosition: 0, limit: 1 })).rejects.toThrow(LOST);
  });

  it('serves again once the same folder is back', async () => {
    await rename(path, `${path}-old`);
    await expect(store.check({ deep: false })).rejects.toThrow(LOST);
    await rename(`${path}-old`, path);
    await expect(store.readRow({ runId: RUN })).resolves.not.toBeNull();
    await expect(store.append(sampleAppend(sampleRunId(2)))).resolves.toBe('appended');
    await expect(store.check({ deep: true })).resolves.toBeUndefined();
  });

  it('acknowledges nothing that was under way when it was noticed', async () => {
    const intruder = new DatabaseSync(join(path, 'runs.db'));
    intruder.exec('BEGIN IMMEDIATE');
    const append = store.append(sampleAppend(sampleRunId(2)));
    const answer: Promise<unknown> = append.catch((reason: unknown) => reason);
    for (let turn = 0; turn < 20; turn += 1) await store.listUnindexed({ limit: 1 });
    await rename(path, `${path}-old`);
    await expect(store.check({ deep: false })).rejects.toThrow(LOST);
    intruder.exec('ROLLBACK');
    intruder.close();
    await expect(answer).resolves.toMatchObject({ message: expect.stringContaining(LOST) });
  });

  it('is noticed by the commits themselves, though nobody checks', async () => {
    await removeUnderWriters(path);
    let seq = 2;
    const appendForEver = async (): Promise<never> => {
      for (;;) {
        await store.append(sampleAppend(RUN, { expectedSeq: seq }));
        seq += 2;
      }
    };
    await expect(appendForEver()).rejects.toThrow(LOST);
  });

  it('leaves a backup alone that was put in its place, also when it is closed', async () => {
    const backup = join(outer.path, 'backup');
    const other = new SqliteRunStore({ folder: backup, workers: builtWorkers });
    await other.open();
    await other.append(sampleAppend(sampleRunId(7)));
    other.markCalls({ begun: [{ runId: RUN, executionId: 1, attempt: 1 }], ended: [] });
    // A copy of an open folder, with its log: as a crash would leave it.
    await rename(path, `${path}-old`);
    await cp(backup, path, { recursive: true });
    await other.close();
    await expect(store.check({ deep: false })).rejects.toThrow(LOST);
    await store.close();
    const restored = new SqliteRunStore({ folder: path, workers: builtWorkers });
    await restored.open();
    await expect(restored.readRow({ runId: sampleRunId(7) })).resolves.not.toBeNull();
    await expect(restored.callsLeftBehind({ shards: null })).resolves.toHaveLength(1);
    await restored.close();
  });
});
