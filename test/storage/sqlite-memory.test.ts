import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sampleEntry } from '../../src/engine/testing/contract/memory-index/support/contract.js';
import { SqliteMemoryIndex } from '../../src/storage/sqlite/sqlite-memory-index.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

describe('the memory of a SQLite data folder', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const newMemory = (): SqliteMemoryIndex =>
    new SqliteMemoryIndex({ folder: folder.path, workers: builtWorkers });
  const memoryFile = (): string => join(folder.path, 'memory.db');

  beforeEach(async () => {
    folder = await temporaryFolder();
    const memory = newMemory();
    await expect(memory.open()).resolves.toEqual({ isNew: true });
    await memory.put({ entries: [sampleEntry('a', 'apples')] });
    await memory.close();
  });

  afterEach(() => folder.remove());

  it('is there after a restart', async () => {
    const memory = newMemory();
    await expect(memory.open()).resolves.toEqual({ isNew: false });
    await expect(memory.search({ namespace: 'default', query: 'apples', topK: 1 })).resolves.toEqual([
      { ...sampleEntry('a', 'apples'), score: 1 },
    ]);
    await memory.close();
  });

  it.each([
    ['gone', (file: string) => rm(file)],
    ['no database', (file: string) => writeFile(file, 'hello '.repeat(10_000))],
    [
      'damaged behind its first page',
      async (file: string) => {
        const { size } = await stat(file);
        await writeFile(file, Buffer.alloc(size - 4_096, 0xa5), { flag: 'r+' });
      },
    ],
    ['empty', (file: string) => writeFile(file, '')],
  ])('begins empty, and says so, when its file is %s', async (_what, damage) => {
    await damage(memoryFile());
    const memory = newMemory();
    await expect(memory.open()).resolves.toEqual({ isNew: true });
    await expect(memory.search({ namespace: 'default', query: 'apples', topK: 1 })).resolves.toEqual([]);
    await memory.put({ entries: [sampleEntry('b', 'pears')] });
    await expect(memory.search({ namespace: 'default', query: 'pears', topK: 1 })).resolves.toHaveLength(1);
    await memory.close();
  });

  it('leaves no log behind when it is closed', async () => {
    expect(await readdir(folder.path)).toEqual(['memory.db']);
  });

  it('finds what has every word before what has one, however many newer entries have that', async () => {
    const memory = newMemory();
    await memory.put({ entries: [sampleEntry('both', 'harbour crane report')] });
    const common = Array.from({ length: 5_000 }, (_, index) => sampleEntry(`n-${index}`, `report ${index}`));
    await memory.put({ entries: common });
    const hits = await memory.search({ namespace: 'default', query: 'crane report', topK: 5 });
    expect(hits[0]).toMatchObject({ id: 'both', score: 1 });
    expect(hits).toHaveLength(5);
    await memory.close();
  });

  it('begins empty, and says so, when another version wrote it', async () => {
    const database = new DatabaseSync(memoryFile());
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 4 });
    database.exec('PRAGMA user_version = 2');
    database.close();
    const memory = newMemory();
    await expect(memory.open()).resolves.toEqual({ isNew: true });
    await memory.close();
  });

  it('keeps what the version before wrote, and finds it by its workflow from the first search on that asks for it', async () => {
    const database = new DatabaseSync(memoryFile());
    database.exec(`
      DROP INDEX entries_of_workflow; DROP INDEX entries_without_workflow;
      ALTER TABLE entries DROP COLUMN workflow_id;
      DELETE FROM words_1; INSERT INTO words_1 (rowid, content) VALUES (1, 'apples');
      PRAGMA user_version = 3`);
    database.close();
    const memory = newMemory();
    await expect(memory.open()).resolves.toEqual({ isNew: false });
    const found = async (workflows: readonly string[] | null) =>
      (await memory.search({ namespace: 'default', workflows, query: 'apples', topK: 9 })).map(
        ({ id }) => id,
      );
    expect(await found(null)).toEqual(['a']);
    expect(await found(['other'])).toEqual([]);
    expect(await found(['invoices'])).toEqual(['a']);
    await memory.close();
  });

  it('finds letters that SQLite’s own tokenizer does not know', async () => {
    const memory = newMemory();
    await memory.put({ entries: [sampleEntry('adlam', 'a word of 𞤀𞤣𞤤𞤢𞤥')] });
    const hits = await memory.search({ namespace: 'default', query: '𞤀𞤣𞤤𞤢𞤥', topK: 1 });
    expect(hits.map(({ id }) => id)).toEqual(['adlam']);
    for (const query of ['𞤀𞤣𞤤𞤢𞤥', '\u0301', 'ꟗ apples']) {
      await expect(memory.search({ namespace: 'default', query, topK: 1 })).resolves.toEqual(
        expect.any(Array),
      );
    }
    await memory.close();
  });
});
