import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RunRow } from '../../src/engine/ports/run-store.js';
import {
  NOON,
  endedRow,
  sampleAppend,
  sampleRow,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { Connection } from '../../src/storage/sqlite/connection/connection.js';
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

const ROWS: readonly RunRow[] = [
  sampleRow(EXECUTING, { openExecutions: 2, lastSeq: 1 }),
  sampleRow(WAITING, { openExecutions: 1, wakeAt: NOON + 5, lastSeq: 1 }),
  sampleRow(AT_A_GATE, { status: 'paused', lastSeq: 1 }),
  endedRow(ENDED, NOON, { lastSeq: 1 }),
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
    const listed = await store.listRuns({
      namespace: 'default',
      workflowId: 'invoices',
      status: null,
      before: null,
      limit: 9,
    });
    expect(listed).toHaveLength(4);
    await expect(store.readAll({ afterPosition: 0, limit: 9 })).resolves.toMatchObject(
      ROWS.map(({ runId }) => ({ kind: 'appended', runId, namespace: 'default', workflowId: 'invoices' })),
    );
    await expect(store.append(sampleAppend(WAITING, { expectedSeq: 1 }))).resolves.toBe('appended');
  });

  it('has its runs in lanes', async () => {
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
