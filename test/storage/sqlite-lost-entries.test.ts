import { once } from 'node:events';
import { cp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../src/errors/service-errors.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { startChild } from './support/child.js';

const WAL_HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 4_096;
/** Acknowledged before the owner is killed, enough for many pages; until it dies it appends less than as much again. */
const APPENDS = 250;

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

async function positionToldBy(file: string): Promise<number> {
  return Number((await readFile(file, 'utf8')).slice(0, 16));
}

describe('a data folder after the crash of its owner', () => {
  let dead: Folder;
  let folder: Folder;
  let wal: string;
  let position: string;
  const stores: SqliteRunStore[] = [];

  beforeAll(async () => {
    dead = await temporaryFolder();
    const child = startChild('append-for-ever.mjs', [dead.path]);
    child.stdout!.resume();
    const closed = once(child, 'close');
    const told = join(dead.path, 'last-position.txt');
    while ((await positionToldBy(told).catch(() => 0)) < APPENDS) await delay(5);
    child.kill('SIGKILL');
    await closed;
  });
  afterAll(() => dead.remove());

  beforeEach(async () => {
    folder = await temporaryFolder();
    await cp(dead.path, folder.path, { recursive: true, filter: (file) => !file.includes('owner.lock') });
    wal = join(folder.path, 'runs.db-wal');
    position = join(folder.path, 'last-position.txt');
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await folder.remove();
  });

  const opening = async (): Promise<SqliteRunStore> => {
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    stores.push(store);
    await store.open();
    return store;
  };
  const refusal = async (): Promise<string> => {
    const error = await opening().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StoreError);
    return (error as StoreError).message;
  };
  const overwriteFrame = async (frame: number, bytes: number): Promise<void> => {
    const handle = await open(wal, 'r+');
    await handle.write(Buffer.alloc(bytes, 0xa5), 0, bytes, WAL_HEADER_BYTES + frame * FRAME_BYTES);
    await handle.close();
  };
  const frames = async (): Promise<number> =>
    Math.floor(((await stat(wal)).size - WAL_HEADER_BYTES) / FRAME_BYTES);

  const damages: readonly (readonly [string, () => Promise<void>])[] = [
    ['is damaged in its first half', async () => overwriteFrame(Math.floor((await frames()) / 4), 100)],
    ['is damaged in its first page', async () => overwriteFrame(0, 1)],
    ['lost its header', async () => overwriteFrame(-1, 16)],
    ['lost most of it', async () => truncate(wal, Math.floor((await stat(wal)).size / 4))],
    ['is gone', async () => rm(wal)],
  ];

  it.each(damages)(
    'is refused when its write-ahead log %s, and the error says how much is lost',
    async (_how, damage) => {
      await damage();
      const before = await readdir(folder.path);
      const damaged = before.includes('runs.db-wal') ? await readFile(wal) : null;
      const told = await positionToldBy(position);
      const message = await refusal();
      expect(message).toContain(`it had ${told} entries, and `);
      expect(message).toContain('Restore the folder from a backup');
      expect(message).not.toContain(folder.path);
      // The next start refuses it as well, and nothing is lost that could be saved.
      expect(await refusal()).toBe(message);
      if (damaged !== null) expect((await readFile(wal)).equals(damaged)).toBe(true);
    },
  );

  it('is opened with what is left once somebody says so, and then holds its own', async () => {
    await overwriteFrame(Math.floor((await frames()) / 4), 100);
    await refusal();
    await rm(position);
    const store = await opening();
    const left = await store.lastPosition();
    expect(left).toBeGreaterThan(5);
    expect(left).toBeLessThan(APPENDS);
    await store.close();
    await expect(opening()).resolves.toBeDefined();
  });

  it('is opened when nothing is damaged, and reports no more than was acknowledged', async () => {
    const told = await positionToldBy(position);
    expect(told).toBeGreaterThan(10);
    expect(await (await opening()).lastPosition()).toBeGreaterThanOrEqual(told);
  });

  it.each([
    ['an older one', (told: string) => told.replace(/^.*$/m, '0000000000000005 d26a9feb')],
    ['nothing', () => ''],
    ['half of it', (told: string) => told.slice(0, 9)],
    ['something else', () => '0000000999999999 00000000\n'],
    ['zeros', () => '\0'.repeat(26)],
  ])('is opened when a power cut left, of the last position, %s', async (_what, cut) => {
    await writeFile(position, cut(await readFile(position, 'utf8')));
    await expect(opening()).resolves.toBeDefined();
  });

  it('is opened when a power cut tore what was written last and never acknowledged', async () => {
    const handle = await open(wal, 'a');
    await handle.write(Buffer.alloc(FRAME_BYTES + 1_000, 0x5a));
    await handle.close();
    await expect(opening()).resolves.toBeDefined();
  });

  it('is opened when retention took the last entries away', async () => {
    const database = new DatabaseSync(join(folder.path, 'runs.db'));
    database.exec('DELETE FROM log; DELETE FROM runs');
    database.close();
    const store = await opening();
    expect(await store.lastPosition()).toBe(0);
  });

  it('begins empty when its database was moved away', async () => {
    for (const file of ['runs.db', 'runs.db-wal', 'runs.db-shm'])
      await rm(join(folder.path, file), { force: true });
    await expect(opening()).resolves.toBeDefined();
  });

  it('keeps no last position after a clean shutdown', async () => {
    await (await opening()).close();
    expect((await readdir(folder.path)).sort()).toEqual(['owner.lock.db', 'runs.db']);
  });
});

describe('the last position of a log that is appended to', () => {
  it('is never ahead of what another reader finds in the database', async () => {
    const folder = await temporaryFolder();
    const child = startChild('append-for-ever.mjs', [folder.path]);
    child.stdout!.resume();
    const ended = once(child, 'close');
    const seen: number[] = [];
    let database: DatabaseSync | null = null;
    while (new Set(seen).size < 5) {
      const told = await readFile(join(folder.path, 'last-position.txt'), 'utf8').catch(() => '');
      if (told.length < 26) continue;
      database ??= new DatabaseSync(join(folder.path, 'runs.db'), { readOnly: true });
      const row = database.prepare('SELECT max(position) AS last FROM log').get();
      expect(Number(told.slice(0, 16))).toBeLessThanOrEqual(Number(row?.['last']));
      seen.push(Number(told.slice(0, 16)));
    }
    database?.close();
    child.kill('SIGKILL');
    await ended;
    await folder.remove();
  });
});
