import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '../../src/errors/service-errors.js';
import { sampleAppend, sampleRunId } from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { Connection } from '../../src/storage/sqlite/connection/connection.js';
import { readRow } from '../../src/storage/sqlite/operations/log/read-run.js';
import { prepareRunDatabase } from '../../src/storage/sqlite/schema/prepare-run-database.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { GroupWriter } from '../../src/storage/sqlite/writer/group-writer.js';
import { addToGroup, type FlatValue } from '../../src/storage/sqlite/operations/operation.js';
import { appendOperation } from '../../src/storage/sqlite/operations/append/append-operation.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { limitedDisk } from './support/limited-disk.js';

const disk = await limitedDisk(4);

afterAll(() => disk?.remove());

function groupOf(...runIds: readonly string[]): readonly FlatValue[] {
  const group: FlatValue[] = [];
  for (const runId of runIds) addToGroup(group, appendOperation(sampleAppend(runId, { count: 40 })));
  return group;
}

// Without the right to mount, the bound on the number of pages below shows the same of all but the threads.
if (disk !== null) {
  describe('a SQLite store on a disk that fills up', () => {
    it('refuses what it cannot keep, keeps what it acknowledged, and continues once there is space', async () => {
      const ballast = join(disk.path, 'ballast');
      await writeFile(ballast, Buffer.alloc(1024 * 1024));
      const store = new SqliteRunStore({ folder: join(disk.path, 'data'), workers: builtWorkers });
      await store.open();
      const acknowledged: string[] = [];
      const refused: string[] = [];
      for (let round = 0; refused.length === 0; round += 1) {
        const runIds = Array.from({ length: 8 }, (_, index) => sampleRunId(8 * round + index));
        const answers = await Promise.allSettled(
          runIds.map((runId) => store.append(sampleAppend(runId, { count: 40 }))),
        );
        for (const [index, answer] of answers.entries()) {
          if (answer.status === 'fulfilled') acknowledged.push(runIds[index]!);
          else {
            expect(answer.reason).toBeInstanceOf(StoreError);
            expect(answer.reason.message).toBe(
              'The disk of the data folder is full: free some space; writing then goes on by itself',
            );
            refused.push(runIds[index]!);
          }
        }
      }
      expect(acknowledged.length).toBeGreaterThan(8);
      // A small group may still fit where a large one failed: until nothing fits any more.
      await expect(writeFile(join(disk.path, 'filler'), Buffer.alloc(4 * 1024 * 1024))).rejects.toThrow(
        'ENOSPC',
      );
      for (let isServing = true, more = 10_000; isServing; more += 1) {
        const runId = sampleRunId(more);
        await store.append(sampleAppend(runId, { count: 40 })).then(
          () => acknowledged.push(runId),
          (error: unknown) => expect(error).toMatchObject({ message: expect.stringContaining('is full') }),
        );
        isServing = await store.check({ deep: true }).then(
          () => true,
          () => false,
        );
      }
      await expect(store.check({ deep: true })).rejects.toThrow('is full');
      for (const runId of refused) await expect(store.readRow({ runId })).resolves.toBeNull();

      await rm(ballast);
      await expect(store.check({ deep: true })).resolves.toBeUndefined();
      for (const runId of refused) {
        await expect(store.append(sampleAppend(runId, { count: 40 }))).resolves.toBe('appended');
      }
      await expect(store.append(sampleAppend(acknowledged[0]!))).resolves.toBe('conflict');
      await store.close();

      const again = new SqliteRunStore({ folder: join(disk.path, 'data'), workers: builtWorkers });
      await again.open();
      for (const runId of [...acknowledged, ...refused]) {
        await expect(again.readEvents({ runId, afterSeq: 0, limit: 100 })).resolves.toHaveLength(40);
      }
      await again.close();
    });
  });
}

describe('the writer of groups', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  let writer: GroupWriter;
  let reader: Connection;

  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'runs.db');
    prepareRunDatabase(file);
    reader = new Connection(file, 'read');
  });

  afterEach(async () => {
    reader.close();
    writer.close();
    await folder.remove();
  });

  it('fails a whole group when the database may not grow, and writes again once it may', () => {
    let maxPages = 90;
    writer = new GroupWriter(() => {
      const connection = new Connection(file, 'write');
      connection.execute(`PRAGMA max_page_count = ${maxPages}`);
      return connection;
    });
    let round = 0;
    expect(() => {
      for (; round < 100; round += 1) writer.write([groupOf(`a-${round}`, `b-${round}`)]);
    }).toThrow('full');
    expect(round).toBeGreaterThan(0);
    expect(readRow(reader, `b-${round - 1}`)).not.toBeNull();
    expect(readRow(reader, `a-${round}`)).toBeNull();
    expect(() => writer.write([groupOf('more', 'and more')])).toThrow('full');
    maxPages = 1_000;
    expect(writer.write([groupOf(`a-${round}`, 'a-0', `b-${round}`)])).toEqual([
      [2 * round + 1, null, 2 * round + 2],
    ]);
  });

  it('shows nobody anything before the commit', () => {
    const seen: boolean[] = [];
    writer = new GroupWriter(() => new WatchedCommit(file, () => seen.push(readRow(reader, 'a') !== null)));
    expect(writer.write([groupOf('a')])).toEqual([[1]]);
    expect(seen).toEqual([false]);
    expect(readRow(reader, 'a')).not.toBeNull();
  });

  it('takes nothing of a group for written whose commit failed, and decides it again by seq', () => {
    let isBroken = true;
    writer = new GroupWriter(
      () =>
        new WatchedCommit(file, () => {
          if (isBroken) throw Object.assign(new Error('disk I/O error'), { errcode: 1034 });
        }),
    );
    expect(() => writer.write([groupOf('a', 'b')])).toThrow('disk I/O error');
    expect(readRow(reader, 'a')).toBeNull();
    isBroken = false;
    expect(writer.write([groupOf('a', 'b')])).toEqual([[1, 2]]);
    expect(writer.write([groupOf('a', 'c')])).toEqual([[null, 3]]);
  });

  it('fails one operation that the schema refuses without harm to the others of its group', () => {
    writer = new GroupWriter(() => new Connection(file, 'write'));
    const wrong = sampleAppend('wrong');
    const group: FlatValue[] = [...groupOf('a')];
    addToGroup(group, appendOperation({ ...wrong, row: { ...wrong.row, workflowId: null as never } }));
    group.push(...groupOf('b'));
    expect(writer.write([group])).toEqual([[1, { code: null, message: expect.any(String) }, 2]]);
    expect(readRow(reader, 'b')).not.toBeNull();
    expect(readRow(reader, 'wrong')).toBeNull();
  });
});

/** Calls back in the moment before each commit. */
class WatchedCommit extends Connection {
  constructor(
    file: string,
    private readonly beforeCommit: () => void,
  ) {
    super(file, 'write');
  }

  override statement(sql: string): ReturnType<Connection['statement']> {
    if (sql === 'COMMIT') this.beforeCommit();
    return super.statement(sql);
  }
}
