import { chmod, mkdir, open, readdir, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../src/errors/service-errors.js';
import {
  sampleAppend,
  sampleEvents,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { linesOf, startChild } from './support/child.js';

const PAGE_BYTES = 4_096;
const NOBODY = 65_534;

describe('the data folder of a SQLite store', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const stores: SqliteRunStore[] = [];

  const newStore = (path = folder.path): SqliteRunStore => {
    const store = new SqliteRunStore({ folder: path, workers: builtWorkers });
    stores.push(store);
    return store;
  };
  const runsFile = (): string => join(folder.path, 'runs.db');
  /** A closed folder with `runs` runs of two events. */
  const filled = async (runs: number): Promise<void> => {
    const store = newStore();
    await store.open();
    await Promise.all(
      Array.from({ length: runs }, (_, index) => store.append(sampleAppend(sampleRunId(index)))),
    );
    await store.close();
  };
  const refusal = async (): Promise<StoreError> => {
    const error = await newStore()
      .open()
      .then(
        () => null,
        (reason: unknown) => reason,
      );
    expect(error).toBeInstanceOf(StoreError);
    return error as StoreError;
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await chmod(folder.path, 0o700);
    await folder.remove();
  });

  it('is made with its parents, for its owner alone', async () => {
    const path = join(folder.path, 'a/b');
    await newStore(path).open();
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it('keeps everything over a restart', async () => {
    await filled(3);
    const store = newStore();
    await store.open();
    await expect(store.readEvents({ runId: sampleRunId(2), afterSeq: 0, limit: 9 })).resolves.toEqual(
      sampleEvents(0, 2),
    );
    await expect(store.append(sampleAppend(sampleRunId(2)))).resolves.toBe('conflict');
    await expect(store.append(sampleAppend(sampleRunId(2), { expectedSeq: 2 }))).resolves.toBe('appended');
  });

  it('has another name for each boot', async () => {
    const openings = new Set<string>();
    for (let index = 0; index < 3; index += 1) {
      const store = newStore();
      openings.add((await store.open()).opening);
      await store.close();
    }
    expect(openings.size).toBe(3);
  });

  it('is left without logs and locks by a close', async () => {
    await filled(1);
    expect((await readdir(folder.path)).sort()).toEqual(['owner.lock.db', 'runs.db']);
  });

  it('is refused while another process has it, and free once that process is killed', async () => {
    const owner = startChild('append-for-ever.mjs', [folder.path]);
    await linesOf(owner, 1);
    await expect(newStore().open()).rejects.toThrow('The data folder belongs to another running process');
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    await expect(newStore().open()).resolves.toEqual({ opening: expect.any(String) });
  });

  it('is refused while another store of this process has it, and free once that is closed', async () => {
    const first = newStore();
    await first.open();
    await expect(newStore().open()).rejects.toThrow('belongs to another running process');
    await first.close();
    await expect(newStore().open()).resolves.toEqual({ opening: expect.any(String) });
  });

  it('is refused when a newer version wrote it', async () => {
    await filled(1);
    const database = new DatabaseSync(runsFile());
    database.exec('PRAGMA user_version = 99');
    database.close();
    expect((await refusal()).message).toMatch(
      /newer version \(schema 99; this one knows \d+\): start that version/,
    );
  });

  it('is refused when runs.db belongs to another program', async () => {
    const database = new DatabaseSync(runsFile());
    database.exec('CREATE TABLE recipes (name TEXT)');
    database.close();
    expect((await refusal()).message).toContain('belongs to another program');
  });

  it.each([
    ['holds no database', (file: string) => writeFile(file, 'hello '.repeat(10_000))],
    ['lost its header', (file: string) => overwrite(file, 0, PAGE_BYTES)],
    ['lost its second half', async (file: string) => truncate(file, Math.floor((await stat(file)).size / 2))],
    ['ends within its first page', (file: string) => truncate(file, 1_000)],
    [
      'lost all but its first page',
      async (file: string) => overwrite(file, PAGE_BYTES, (await stat(file)).size),
    ],
  ])('is refused when runs.db %s', async (_what, damage) => {
    await filled(500);
    await damage(runsFile());
    const error = await refusal();
    expect(error.message).toContain('runs.db in the data folder is damaged: stop the service and restore');
    expect(error.message).not.toContain(folder.path);
  });

  it('is refused when runs.db is empty, which no crash can leave behind', async () => {
    await filled(1);
    await truncate(runsFile(), 0);
    expect((await refusal()).message).toContain('runs.db in the data folder is empty');
  });

  it('is refused when runs.db is gone and its log is not', async () => {
    await writeFile(`${runsFile()}-wal`, 'something');
    expect((await refusal()).message).toContain('runs.db is missing');
  });

  it('is opened although an earlier boot was interrupted', async () => {
    await writeFile(`${runsFile()}.new`, 'half of a database');
    await expect(newStore().open()).resolves.toEqual({ opening: expect.any(String) });
  });

  it('rejects with a StoreError what a damaged page holds, and serves the rest', async () => {
    await filled(500);
    const database = new DatabaseSync(runsFile());
    const page = Number(
      database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'log'").get()?.['rootpage'],
    );
    database.close();
    await overwrite(runsFile(), (page - 1) * PAGE_BYTES, page * PAGE_BYTES);
    const store = newStore();
    await store.open();
    const damaged = 'runs.db in the data folder is damaged';
    await expect(store.load({ runId: sampleRunId(1), atSeq: null })).rejects.toThrow(StoreError);
    await expect(store.load({ runId: sampleRunId(1), atSeq: null })).rejects.toThrow(damaged);
    await expect(store.readAll({ afterPosition: 0, limit: 9 })).rejects.toThrow(damaged);
    await expect(store.append(sampleAppend(sampleRunId(999)))).rejects.toThrow(damaged);
    await expect(store.readRow({ runId: sampleRunId(1) })).resolves.toMatchObject({ runId: sampleRunId(1) });
    await expect(store.readRow({ runId: sampleRunId(999) })).resolves.toBeNull();
    await expect(store.writeCursor({ name: 'memory', position: 1 })).resolves.toBeUndefined();
  });

  it('is refused when it cannot be written', async () => {
    await filled(1);
    await chmod(folder.path, 0o555);
    // The superuser may write anywhere: then the child opens the folder as another user.
    const user = process.getuid?.() === 0 ? [String(NOBODY)] : [];
    const [line] = await linesOf(startChild('try-to-open.mjs', [folder.path, ...user]), 1);
    expect(JSON.parse(line!)).toEqual({
      code: 'store',
      message: expect.stringContaining('give this user write access'),
    });
  });

  it('is refused when it cannot be made', async () => {
    await writeFile(join(folder.path, 'file'), '');
    await expect(newStore(join(folder.path, 'file/data')).open()).rejects.toThrow('cannot be created');
  });

  it('can be moved while it is closed', async () => {
    await filled(1);
    const moved = join(folder.path, 'moved');
    await mkdir(moved);
    await rename(runsFile(), join(moved, 'runs.db'));
    const store = newStore(moved);
    await store.open();
    await expect(store.readRow({ runId: sampleRunId(0) })).resolves.not.toBeNull();
  });
});

/** Overwrites from one offset to another with bytes that are no page of a database. */
async function overwrite(file: string, from: number, to: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(to - from, 0xa5), 0, to - from, from);
  await handle.close();
}
