import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  sampleAppend,
  sampleRow,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { StoreError } from '../../src/errors/service-errors.js';
import type { AppendRequest } from '../../src/engine/ports/store/append.js';
import { Connection } from '../../src/storage/sqlite/connection/connection.js';
import { storeErrorOf } from '../../src/storage/sqlite/connection/sqlite-fault.js';
import { listDue, listUnfinished } from '../../src/storage/sqlite/operations/lists/list-runs.js';
import { prepareRunDatabase } from '../../src/storage/sqlite/schema/prepare-run-database.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { WorkerThread } from '../../src/storage/sqlite/threads/worker-thread.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { runsStored } from '../support/runs-stored.js';

const RUN = sampleRunId(1);

describe('a SQLite store', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  it('acknowledges and shows nothing while its commit is delayed', async () => {
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
    const intruder = new DatabaseSync(join(folder.path, 'runs.db'));
    intruder.exec('BEGIN IMMEDIATE');
    let isAcknowledged = false;
    const append = store.append(sampleAppend(RUN)).then((result) => {
      isAcknowledged = true;
      return result;
    });
    // Each of these takes a trip to another thread, so that the append had every chance.
    for (let turn = 0; turn < 20; turn += 1) await store.check({ deep: true });
    await expect(runsStored(store)).resolves.toEqual([]);
    await expect(store.readAll({ afterPosition: 0, limit: 9 })).resolves.toEqual([]);
    await expect(store.readRow({ runId: RUN })).resolves.toBeNull();
    expect(isAcknowledged).toBe(false);
    intruder.exec('ROLLBACK');
    intruder.close();
    await expect(append).resolves.toBe('appended');
    await expect(store.readRow({ runId: RUN })).resolves.toEqual(sampleRow(RUN));
    await store.close();
  });

  it('refuses to open when its threads cannot start, and gives the folder back', async () => {
    const store = new SqliteRunStore({
      folder: folder.path,
      workers: new URL('./missing/', import.meta.url),
    });
    await expect(store.open()).rejects.toThrow('thread ended: try again');
    const working = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await expect(working.open()).resolves.toEqual({ opening: expect.any(String) });
    await working.close();
  });

  it('reads a page of the log that is too large for one result in several', async () => {
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
    for (let index = 0; index < 5; index += 1) {
      const [event] = sampleAppend(RUN, { expectedSeq: index, count: 1 }).events;
      const events = [{ ...event!, values: { text: 'x'.repeat(512 * 1024) } } as never];
      await store.append(sampleAppend(RUN, { expectedSeq: index, events }));
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

describe('what a SQLite store can never hold', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: SqliteRunStore;

  beforeEach(async () => {
    folder = await temporaryFolder();
    store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
  });

  afterEach(async () => {
    await store.close();
    await folder.remove();
  });

  const faultOf = async (request: AppendRequest): Promise<unknown> => {
    const [fault, ...others] = await Promise.all([
      store.append(request).catch((reason: unknown) => reason),
      store.append(sampleAppend(sampleRunId(3))),
      store.append(sampleAppend(sampleRunId(4))),
    ]);
    expect(others).toEqual(['appended', 'appended']);
    expect(fault).toBeInstanceOf(StoreError);
    await expect(store.append(sampleAppend(sampleRunId(2)))).resolves.toBe('appended');
    return fault;
  };

  it('is refused permanently when it makes no JSON text that fits into memory', async () => {
    const tooLarge = {
      toJSON: () => {
        throw new RangeError('Invalid string length');
      },
    };
    const events = [{ v: 1, seq: 1, at: 1, type: 'state-written', values: tooLarge }];
    const fault = await faultOf(sampleAppend(RUN, { events }));
    expect(fault).toMatchObject({
      permanent: true,
      retryable: false,
      message: expect.stringMatching(/too large for one JSON text .*: let its units answer less, or keep/),
    });
  });

  it('is refused permanently when the schema refuses it', async () => {
    const row = { ...sampleRow(RUN), workflowId: null as never };
    const fault = await faultOf(sampleAppend(RUN, { row }));
    expect(fault).toMatchObject({ permanent: true });
  });

  it.each([
    ['it is no value of a database', {}],
    ['it cannot even be sent to the thread that writes', () => 'no clone'],
  ])('is refused permanently when %s', async (_why, status) => {
    const row = { ...sampleRow(RUN), status: status as never };
    const fault = await faultOf(sampleAppend(RUN, { row }));
    expect(fault).toMatchObject({ permanent: true });
  });
});

describe('a fault of SQLite', () => {
  it.each([
    ['too big', 18, true],
    ['a constraint', 19, true],
    ['a mismatch', 20, true],
    ['a full disk', 13, false],
    ['a failing disk', 10, false],
    ['a locked file', 5, false],
    ['a damaged file', 11, false],
    ['no memory', 7, false],
    ['something else', null, false],
  ])('%s (%s) would come again: %s', (_what, code, permanent) => {
    expect(storeErrorOf({ code, message: 'm' }, '/secret/runs.db')).toMatchObject({
      permanent,
      retryable: !permanent,
      message: expect.not.stringContaining('secret'),
    });
  });
});

describe('a thread of a SQLite store', () => {
  it('gives no other call a result when a message cannot be sent', async () => {
    const thread = new WorkerThread<unknown, unknown>({
      name: 'mortal',
      url: new URL('support/mortal-worker.mjs', import.meta.url),
      file: 'some.db',
    });
    const answers = await Promise.allSettled([
      thread.call('a'),
      thread.call(() => 'no clone'),
      thread.call('b'),
    ]);
    expect(answers).toMatchObject([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected' },
      { status: 'fulfilled', value: 'b' },
    ]);
    await thread.close();
  });

  it('rejects every waiting call when it dies, and is started again by the next call', async () => {
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

  it('ends when it has had nothing to do for a while, and is started again by the next call', async () => {
    const thread = new WorkerThread<string, string>({
      name: 'mortal',
      url: new URL('support/mortal-worker.mjs', import.meta.url),
      file: 'some.db',
      idleMs: 0,
    });
    const threads = new Set<string>();
    for (const message of ['which', 'which', 'which']) {
      threads.add(await thread.call(message));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(threads.size).toBe(3);
    await Promise.all([thread.call('a'), thread.close()]);
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

describe('a thread of a SQLite store that handles together what waits', () => {
  const together = (): WorkerThread<unknown, number> =>
    new WorkerThread({
      name: 'together',
      url: new URL('support/together-worker.mjs', import.meta.url),
      file: 'some.db',
    });

  /** Resolves when the thread waits at the gate. */
  async function busy(thread: WorkerThread<unknown, number>): Promise<{ open(): void }> {
    const gate = new Int32Array(new SharedArrayBuffer(8));
    void thread.call(gate.buffer);
    while (Atomics.load(gate, 1) === 0) await nextTurn();
    return {
      open: () => {
        Atomics.store(gate, 0, 1);
        Atomics.notify(gate, 0);
      },
    };
  }

  it('handles all that came while it was busy at once, with a result for each', async () => {
    const thread = together();
    const gate = await busy(thread);
    const answers = [thread.call('b'), thread.call('c'), thread.call('d')];
    const closed = thread.close();
    gate.open();
    await expect(Promise.all(answers)).resolves.toEqual([1, 1, 1]);
    await closed;
  });

  it('gives a fault to all of them, and lives', async () => {
    const thread = together();
    const gate = await busy(thread);
    const answers = Promise.allSettled([thread.call('b'), thread.call('fail'), thread.call('c')]);
    gate.open();
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(thread.call('d')).resolves.toBe(1);
    await thread.close();
  });
});

describe('the lists of a SQLite store', () => {
  it.each([
    ['all lanes', null],
    ['some', { count: 4, lanes: [1, 2] }],
  ])('of what is unfinished and of what is due have an index each, for %s', async (_which, lanes) => {
    const unfinished = await planOf((connection) =>
      listUnfinished(connection, { lanes, afterRunId: null, limit: 10 }),
    );
    expect(unfinished).toMatch(/^SEARCH runs USING INDEX runs_unfinished \(run_id>\?\)/);
    const due = await planOf((connection) =>
      listDue(connection, { lanes, before: 9, after: { wakeAt: 1, runId: RUN }, limit: 10 }),
    );
    expect(due).toMatch(/^SEARCH runs USING INDEX runs_due \(\(wake_at,run_id\)>\(\?,\?\) AND wake_at<\?\)/);
    for (const plan of [unfinished, due]) expect(plan).not.toContain('TEMP B-TREE');
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
