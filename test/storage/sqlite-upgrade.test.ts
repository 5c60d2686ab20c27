import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ANY_RUN, type RunFilter } from '../../src/engine/ports/store/run-filter.js';
import type { RunRow } from '../../src/engine/ports/store/run-row.js';
import { idsIn, put, sampleKey } from '../../src/engine/testing/contract/access-store/support/sample-key.js';
import {
  NOON,
  endedRow,
  sampleAppend,
  sampleRow,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { Connection } from '../../src/storage/sqlite/connection/connection.js';
import { runLog } from '../../src/storage/sqlite/schema/0001-run-log.js';
import { namespacesAndDueTimes } from '../../src/storage/sqlite/schema/0002-namespaces-and-due-times.js';
import { childRuns } from '../../src/storage/sqlite/schema/0003-child-runs.js';
import { lists } from '../../src/storage/sqlite/schema/0004-lists.js';
import { rootRuns } from '../../src/storage/sqlite/schema/0005-root-runs.js';
import { childrenByAge } from '../../src/storage/sqlite/schema/0006-children-by-age.js';
import { compensation as compensationOfRuns } from '../../src/storage/sqlite/schema/0007-compensation.js';
import { migrate } from '../../src/storage/sqlite/schema/migrate.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { olderFolder } from './support/older-folder.js';

const EXECUTING = sampleRunId(1, 0x05);
const WAITING = sampleRunId(2, 0xa6);
const AT_A_GATE = sampleRunId(3);
const ENDED = sampleRunId(4);
const GATE = { gateId: 4, unitId: 'sign', openedAt: NOON };

/** Figures were not kept then. */
const OLD = { lastSeq: 1, figures: null };
const ROWS: readonly RunRow[] = [
  sampleRow(EXECUTING, { ...OLD, openExecutions: 2 }),
  sampleRow(WAITING, { ...OLD, openExecutions: 1, wakeAt: NOON + 5 }),
  sampleRow(AT_A_GATE, { ...OLD, status: 'paused' }),
  endedRow(ENDED, NOON, OLD),
];

describe('a data folder of the version before', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: SqliteRunStore;

  const newStore = (): SqliteRunStore => new SqliteRunStore({ folder: folder.path, workers: builtWorkers });

  beforeEach(async () => {
    folder = await temporaryFolder();
    await olderFolder(folder.path, ROWS);
    store = newStore();
    await store.open();
  });

  afterEach(async () => {
    await store.close();
    await folder.remove();
  });

  it('keeps its runs, in the namespace default', async () => {
    for (const row of ROWS) await expect(store.readRow({ runId: row.runId })).resolves.toEqual(row);
    const filter = { ...ANY_RUN, workflowId: 'invoices' };
    const listed = await store.findRuns({ namespace: 'default', filter, before: null, limit: 9 });
    expect(listed.runs.map(({ row }) => row)).toEqual(ROWS.toReversed());
    await expect(store.readAll({ afterPosition: 0, limit: 9 })).resolves.toMatchObject(
      ROWS.map(({ runId }) => ({ kind: 'appended', runId, namespace: 'default', workflowId: 'invoices' })),
    );
    await expect(store.append(sampleAppend(WAITING, { expectedSeq: 1 }))).resolves.toBe('appended');
  });

  it('has its runs in shards', async () => {
    const ofLane = async (lane: number): Promise<readonly string[]> =>
      (await store.listUnfinished({ lanes: { count: 256, lanes: [lane] }, afterRunId: null, limit: 9 })).map(
        ({ runId }) => runId,
      );
    await expect(ofLane(0x05)).resolves.toEqual([EXECUTING]);
    await expect(ofLane(0xa6)).resolves.toEqual([WAITING]);
    await expect(ofLane(0x03)).resolves.toEqual([]);
  });

  it('lists what is due', async () => {
    const due = await store.listDue({ lanes: null, before: NOON + 5, after: null, limit: 9 });
    expect(due.map(({ runId }) => runId)).toEqual([WAITING]);
  });

  it('keeps definitions, keys and cursors; nothing is registered', async () => {
    await expect(store.readDefinition({ namespace: 'default', hash: 'hash-1' })).resolves.toEqual({
      namespace: 'default',
      hash: 'hash-1',
      workflowId: 'invoices',
      yaml: 'kind: Workflow',
      bindings: { a: 'b' },
      plan: null,
      registeredAt: 7,
    });
    await expect(store.readIdempotency({ scope: 'start:invoices', key: 'key' })).resolves.toMatchObject({
      runId: EXECUTING,
    });
    await expect(store.readCursor({ name: 'memory' })).resolves.toBe(1);
    await expect(store.listRegistrations({ namespace: null, opening: null })).resolves.toEqual([]);
  });

  it('names the runs whose open gates nobody entered yet, until somebody does', async () => {
    await expect(store.listUnindexed({ limit: 2 })).resolves.toEqual([EXECUTING, WAITING]);
    await store.indexRun({ runId: EXECUTING, openGates: [] });
    await store.indexRun({ runId: AT_A_GATE, openGates: [GATE] });
    await store.indexRun({ runId: AT_A_GATE, openGates: [] });
    await expect(store.listOpenGates({ runId: AT_A_GATE })).resolves.toEqual([GATE]);
    await expect(store.listUnindexed({ limit: 9 })).resolves.toEqual([WAITING]);
    await store.close();
    store = newStore();
    await store.open();
    await expect(store.listUnindexed({ limit: 9 })).resolves.toEqual([WAITING]);
  });

  it('takes a run for indexed once an append named its gates, or ended it', async () => {
    await store.append(sampleAppend(AT_A_GATE, { expectedSeq: 1, openGates: [GATE] }));
    await store.indexRun({ runId: AT_A_GATE, openGates: [] });
    await expect(store.listOpenGates({ runId: AT_A_GATE })).resolves.toEqual([GATE]);
    await store.append(sampleAppend(WAITING, { expectedSeq: 1, row: endedRow(WAITING, NOON) }));
    await expect(store.listUnindexed({ limit: 9 })).resolves.toEqual([EXECUTING]);
  });

  it('loses the gates that were entered when its run ends', async () => {
    await store.indexRun({ runId: AT_A_GATE, openGates: [GATE] });
    await store.append(sampleAppend(AT_A_GATE, { expectedSeq: 1, row: endedRow(AT_A_GATE, NOON) }));
    await expect(store.listOpenGates({ runId: AT_A_GATE })).resolves.toEqual([]);
  });
});

describe('a data folder of the version before lists', () => {
  const LABELLED = sampleRunId(1);
  const CHILD = sampleRunId(2);

  it('has the labels, the open gates and the children that it had found by lists', async () => {
    const folder = await temporaryFolder();
    const file = join(folder.path, 'runs.db');
    const connection = new Connection(file, 'write');
    connection.execute(`PRAGMA application_id = 0x666c6f77`);
    for (const { sql } of [runLog, namespacesAndDueTimes, childRuns]) connection.execute(sql);
    connection.execute(`
      PRAGMA user_version = 3;
      INSERT INTO runs (run_id, workflow_id, definition_hash, status, created_at, updated_at, open_executions, last_seq,
        namespace, gates, parent_run_id)
      VALUES ('${LABELLED}', 'w', 'h', 'paused', 7, 8, 0, 1, 'acme', 2, NULL),
        ('${CHILD}', 'w', 'h', 'running', 9, 9, 1, 1, 'acme', 0, '${LABELLED}');
      INSERT INTO run_labels VALUES ('${LABELLED}', 'team', 'blue');
      INSERT INTO open_gates VALUES ('${LABELLED}', 3, 'sign', 5), ('${LABELLED}', 4, 'pay', 6);
    `);
    connection.close();
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
    const find = async (filter: Partial<RunFilter>) =>
      (
        await store.findRuns({ namespace: 'acme', filter: { ...ANY_RUN, ...filter }, before: null, limit: 9 })
      ).runs.map(({ row }) => row.runId);
    expect(await find({ labels: [{ name: 'team', value: 'blue' }] })).toEqual([LABELLED]);
    expect(await find({ hasOpenGate: true })).toEqual([LABELLED]);
    expect(await find({ gateUnit: 'pay' })).toEqual([LABELLED]);
    expect(await find({ origin: 'child' })).toEqual([CHILD]);
    expect(await find({ origin: 'client', createdFrom: 7, createdBefore: 8 })).toEqual([LABELLED]);
    await expect(store.readListed({ runId: LABELLED })).resolves.toMatchObject({
      row: { figures: null, isCancelled: false, forkedFrom: null },
      labels: { team: 'blue' },
      openGates: [{ gateId: 3 }, { gateId: 4 }],
    });
    const gates = { namespace: 'acme', workflows: null, before: null, limit: 9 };
    await expect(store.listGates({ ...gates, status: 'open', workflowId: 'w' })).resolves.toMatchObject({
      gates: [
        { runId: LABELLED, gateId: 4, definitionHash: 'h' },
        { runId: LABELLED, gateId: 3 },
      ],
    });
    await expect(store.listGates({ ...gates, status: 'decided', workflowId: null })).resolves.toMatchObject({
      gates: [],
    });
    await store.close();
    await folder.remove();
  });
});

describe('a data folder of the version before roots of families were kept', () => {
  it('knows the root of every child that is not over, of whichever generation', async () => {
    const [root, child, grandchild, ended, below, imported, ofImported] = [1, 2, 3, 4, 5, 6, 7].map(
      sampleRunId,
    );
    const folder = await temporaryFolder();
    const file = join(folder.path, 'runs.db');
    const connection = new Connection(file, 'write');
    connection.execute(`PRAGMA application_id = 0x666c6f77`);
    for (const { sql } of [runLog, namespacesAndDueTimes, childRuns, lists]) connection.execute(sql);
    const row = (runId = '', parent = '', origin = 'child', endedAt = 'NULL') =>
      `('${runId}', 'w', 'h', 'running', 7, 8, ${endedAt}, 0, 1, ${parent === '' ? 'NULL' : `'${parent}'`}, '${origin}')`;
    connection.execute(`
      PRAGMA user_version = 4;
      INSERT INTO runs (run_id, workflow_id, definition_hash, status, created_at, updated_at, ended_at, open_executions,
        last_seq, parent_run_id, origin)
      VALUES ${row(root, '', 'client')}, ${row(child, root)}, ${row(grandchild, child)}, ${row(ended, root, 'child', '9')},
        ${row(below, ended)}, ${row(imported, root, 'import')}, ${row(ofImported, imported)};
    `);
    connection.close();
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
    const rootOf = (runId = '') => store.readRoot({ runId });
    await expect(Promise.all([root, child, grandchild, below].map(rootOf))).resolves.toEqual(
      Array.from({ length: 4 }, () => root),
    );
    await expect(Promise.all([imported, ofImported].map(rootOf))).resolves.toEqual([imported, imported]);
    await expect(store.countDescendants({ rootRunId: root ?? '', atMost: 9 })).resolves.toBe(3);
    await store.close();
    await folder.remove();
  });
});

describe('a data folder of the version before lists told of compensation', () => {
  it('says nothing of what runs did until they do more', async () => {
    const folder = await temporaryFolder();
    const file = join(folder.path, 'runs.db');
    const connection = new Connection(file, 'write');
    connection.execute(`PRAGMA application_id = 0x666c6f77`);
    const before = [runLog, namespacesAndDueTimes, childRuns, lists, rootRuns, childrenByAge];
    for (const { sql } of before) connection.execute(sql);
    connection.execute(`
      PRAGMA user_version = 6;
      INSERT INTO runs (run_id, workflow_id, definition_hash, status, created_at, updated_at, open_executions, last_seq)
      VALUES ('${EXECUTING}', 'invoices', 'hash-1', 'running', ${NOON}, ${NOON}, 1, 2);
    `);
    connection.close();
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
    await expect(store.readRow({ runId: EXECUTING })).resolves.toMatchObject({ compensation: null });
    const compensation = { status: 'owed', done: 0, failed: 0, unknown: 0 } as const;
    const row = sampleRow(EXECUTING, { compensation });
    await store.append(sampleAppend(EXECUTING, { expectedSeq: 2, row }));
    await expect(store.readRow({ runId: EXECUTING })).resolves.toMatchObject({ compensation });
    await store.close();
    await folder.remove();
  });
});

describe('a data folder of the version before keys', () => {
  it('has none, keeps its runs, and takes some', async () => {
    const folder = await temporaryFolder();
    const connection = new Connection(join(folder.path, 'runs.db'), 'write');
    connection.execute(`PRAGMA application_id = 0x666c6f77`);
    const before = [
      runLog,
      namespacesAndDueTimes,
      childRuns,
      lists,
      rootRuns,
      childrenByAge,
      compensationOfRuns,
    ];
    for (const { sql } of before) connection.execute(sql);
    connection.execute(`
      PRAGMA user_version = 7;
      INSERT INTO runs (run_id, workflow_id, definition_hash, status, created_at, updated_at, open_executions, last_seq)
      VALUES ('${EXECUTING}', 'invoices', 'hash-1', 'running', ${NOON}, ${NOON}, 1, 2);
    `);
    connection.close();
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
    await expect(store.readRow({ runId: EXECUTING })).resolves.toMatchObject({ lastSeq: 2 });
    await expect(idsIn(store.access)).resolves.toEqual([]);
    await expect(store.access.accessCounter()).resolves.toBe(0);
    await put(store.access, sampleKey('a'));
    await expect(idsIn(store.access)).resolves.toEqual(['a']);
    await store.close();
    await folder.remove();
  });
});

describe('the schema of a SQLite data folder', () => {
  it('is refused, and left as it is, by a version that is older', async () => {
    const folder = await temporaryFolder();
    await olderFolder(folder.path, ROWS);
    const connection = new Connection(join(folder.path, 'runs.db'), 'write');
    migrate(connection);
    const { user_version: newest } = connection.statement('PRAGMA user_version').get()!;
    connection.execute(`PRAGMA user_version = ${Number(newest) + 1}`);
    expect(() => migrate(connection)).toThrow(
      `The data folder was written by a newer version (schema ${Number(newest) + 1}; this one knows ${newest}): ` +
        'start that version, or restore the backup from before the upgrade',
    );
    connection.close();
    await folder.remove();
  });

  it('is the same for a new folder and for one that was brought up to date', async () => {
    const folder = await temporaryFolder();
    await olderFolder(join(folder.path, 'old'), []);
    const schemas: unknown[] = [];
    for (const name of ['old', 'new']) {
      const path = join(folder.path, name);
      const store = new SqliteRunStore({ folder: path, workers: builtWorkers });
      await store.open();
      await store.close();
      const database = new DatabaseSync(join(path, 'runs.db'));
      schemas.push(database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all());
      database.close();
    }
    expect(schemas[0]).toEqual(schemas[1]);
    await folder.remove();
  });
});
