import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sampleAppend, sampleRow } from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { Connection } from '../../src/storage/sqlite/connection/connection.js';
import { listRuns, listUnfinished } from '../../src/storage/sqlite/operations/list-runs.js';
import { prepareRunDatabase } from '../../src/storage/sqlite/schema/prepare-run-database.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { WorkerThread } from '../../src/storage/sqlite/threads/worker-thread.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

describe('a SQLite store', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  it('acknowledges and shows nothing while its commit is held back', async () => {
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
    const intruder = new DatabaseSync(join(folder.path, 'runs.db'));
    intruder.exec('BEGIN IMMEDIATE');
    let isAcknowledged = false;
    const append = store.append(sampleAppend('a')).then((result) => {
      isAcknowledged = true;
      return result;
    });
    // Each of these takes a trip to another thread, so that the append had every chance.
    for (let turn = 0; turn < 20; turn += 1) await store.check();
    await expect(store.listRuns({ workflowId: null, status: null, before: null, limit: 9 })).resolves.toEqual(
      [],
    );
    await expect(store.readAll({ afterPosition: 0, limit: 9 })).resolves.toEqual([]);
    await expect(store.readRow({ runId: 'a' })).resolves.toBeNull();
    expect(isAcknowledged).toBe(false);
    intruder.exec('ROLLBACK');
    intruder.close();
    await expect(append).resolves.toBe('appended');
    await expect(store.readRow({ runId: 'a' })).resolves.toEqual(sampleRow('a'));
    await store.close();
  });

  it('refuses to open when its threads cannot start, and gives the folder back', async () => {
    const store = new SqliteRunStore({
      folder: folder.path,
      workers: new URL('./missing/', import.meta.url),
    });
    await expect(store.open()).rejects.toThrow('thread ended: try again');
    const working = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await expect(working.open()).resolves.toBeUndefined();
    await working.close();
  });

  it('reads a page of the log that is too large for one answer in several', async () => {
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
    for (let index = 0; index < 5; index += 1) {
      const [event] = sampleAppend('a', { expectedSeq: index, count: 1 }).events;
      const events = [{ ...event!, values: { text: 'x'.repeat(4 * 1024 * 1024) } } as never];
      await store.append(sampleAppend('a', { expectedSeq: index, events }));
    }
    const sizes: number[] = [];
    let afterPosition = 0;
    for (;;) {
      const page = await store.readAll({ afterPosition, limit: 100 });
      if (page.length === 0) break;
      sizes.push(page.length);
      afterPosition = page.at(-1)!.position;
    }
    expect(sizes).toEqual([2, 2, 1]);
    await store.close();
  });
});

describe('a thread of a SQLite store', () => {
  it('tells everyone who waits when it dies, and is started again by the next call', async () => {
    const thread = new WorkerThread<string, string>({
      name: 'mortal',
      url: new URL('support/mortal-worker.mjs', import.meta.url),
      file: 'some.db',
    });
    await expect(thread.call('a')).resolves.toBe('a');
    const answers = await Promise.allSettled([thread.call('b'), thread.call('die'), thread.call('c')]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect(thread.call('d')).resolves.toBe('d');
    await thread.close();
  });

  it('passes faults on, and lives', async () => {
    const thread = new WorkerThread<string, string>({
      name: 'mortal',
      url: new URL('support/mortal-worker.mjs', import.meta.url),
      file: 'some.db',
    });
    await expect(thread.call('fail')).rejects.toThrow(
      'some.db in the data folder could not be used (as you wish)',
    );
    await expect(thread.call('a')).resolves.toBe('a');
    await thread.close();
  });
});

describe('the lists of a SQLite store', () => {
  const before = { createdAt: 1, runId: 'a' };
  const filters = [null, 'invoices'].flatMap((workflowId) =>
    [null, 'paused' as const, 'completed' as const].flatMap((status) =>
      [null, before].map((place) => ({ workflowId, status, before: place, limit: 10 })),
    ),
  );

  it.each(filters)('are read from an index, in order: $workflowId, $status, $before', async (request) => {
    const plan = await planOf((connection) => listRuns(connection, request));
    expect(plan).toMatch(/USING INDEX runs_(by_age|of_workflow|not_completed)/);
    expect(plan).not.toContain('TEMP B-TREE');
  });

  it('of what is unfinished has an index of its own', async () => {
    const plan = await planOf((connection) => listUnfinished(connection, { afterRunId: null, limit: 10 }));
    expect(plan).toBe('SEARCH runs USING INDEX runs_unfinished (run_id>?)');
  });

  async function planOf(read: (connection: Connection) => unknown): Promise<string> {
    const folder = await temporaryFolder();
    const file = join(folder.path, 'runs.db');
    prepareRunDatabase(file);
    const connection = new NotedStatements(file, 'read');
    read(connection);
    const steps = connection.statement(`EXPLAIN QUERY PLAN ${connection.noted.at(-1)}`).all();
    connection.close();
    await folder.remove();
    return steps.map(({ detail }) => String(detail)).join('; ');
  }
});

class NotedStatements extends Connection {
  readonly noted: string[] = [];

  override statement(sql: string): ReturnType<Connection['statement']> {
    this.noted?.push(sql);
    return super.statement(sql);
  }
}
