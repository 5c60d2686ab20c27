import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { InMemoryMemoryIndex } from '../../src/engine/index.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence } from '../support/engine.js';
import { startHosted } from '../support/hosted-service.js';
import type { Service } from '../support/service.js';
import { runsStored } from '../support/runs-stored.js';

const HOUR_MS = 3_600_000;
const engines = new DurableEngines();
let service: Service | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
  await engines.clear();
});

const units = { quick: () => 'a pelican', slow: () => new Promise<never>(() => undefined) };
const fails = { fails: () => Promise.reject(new Error('not yet')) };

const retried = inSequence('retried', [
  { id: 'r', uses: 'fails', policyOverrides: { retry: { maxAttempts: 9, baseMs: 60_000 } } },
]);
const documents = [
  inSequence('quick', [{ id: 'q', uses: 'quick' }]),
  inSequence('hanging', [
    { id: 'q', uses: 'quick' },
    { id: 's', uses: 'slow' },
  ]),
  inSequence('gated', [{ id: 'g', uses: 'builtin.approval' }]),
  retried,
];

/** A folder with one run of each workflow, all rewritten by `change` as a newer version would have written them. */
async function folderOfNewer(change: (events: string) => string): Promise<{
  readonly folder: string;
  readonly runIds: Readonly<Record<string, string>>;
}> {
  const folder = engines.folder();
  const { engine, clock } = await engines.open(folder, { ...units, ...fails });
  const runIds: Record<string, string> = {};
  for (const yaml of documents) {
    const { workflowId } = await engine.workflows.register({ yaml });
    runIds[workflowId] = (await engine.runs.start({ workflowId })).runId;
  }
  await clock.advance(10);
  await engine.close();
  const database = new DatabaseSync(join(folder, 'runs.db'));
  for (const row of database.prepare('SELECT position, events FROM log').all()) {
    database
      .prepare('UPDATE log SET events = ? WHERE position = ?')
      .run(change(String(row['events'])), Number(row['position']));
  }
  database.close();
  return { folder, runIds };
}

async function listed(store: SqliteRunStore): Promise<readonly string[]> {
  const rows = await runsStored(store);
  return rows.map(({ runId }) => runId);
}

const newerVersion = (events: string): string => events.replaceAll(/"v":\d+/g, '"v":9');
const newerType = (events: string): string =>
  events.replaceAll('"type":"unit-scheduled"', '"type":"bell-hung"');

describe('runs whose log a newer version wrote', () => {
  it.each([
    ['an event of version 9', newerVersion, 'version 9'],
    ['an event of a type of its own', newerType, 'type bell-hung'],
  ])(
    'with %s block nothing else: the start, new runs, lists, the search, retention',
    async (_what, change, named) => {
      const { folder, runIds } = await folderOfNewer(change);
      const memory = new InMemoryMemoryIndex();
      const { engine, store, clock, said } = await engines.open(
        folder,
        { ...units, fails: () => 'by now' },
        { memory, retentionMs: HOUR_MS },
      );
      await engine.workflows.register({ yaml: documents[0]! });
      const fresh = await engine.runs.start({ workflowId: 'quick', sync: true });
      expect(fresh.status).toBe('completed');
      expect(await listed(store)).toHaveLength(5);
      await until(async () => {
        await clock.advance(100);
        return (await memory.search({ namespace: 'default', query: 'pelican', topK: 9 })).some(
          ({ metadata }) => metadata['runId'] === fresh.runId,
        );
      }, 'the search has what came after them');
      await clock.advance(5 * 60_000);
      const ofRun = (runId: string) =>
        said.filter(({ level, fields }) => level === 'error' && fields['runId'] === runId);
      for (const workflowId of ['hanging', 'retried']) {
        expect(ofRun(runIds[workflowId]!).map(({ fields }) => fields['error'])).toEqual([
          expect.stringContaining(named),
        ]);
      }
      await clock.advance(HOUR_MS);
      await until(async () => {
        await clock.advance(HOUR_MS);
        return !(await listed(store)).includes(fresh.runId);
      }, 'what ended long ago is gone');
      await expect(
        engine.runs.resume({ workflowId: 'hanging', runId: runIds['hanging']! }),
      ).rejects.toMatchObject({ code: 'unreadable-event', message: expect.stringContaining(named) });
    },
  );

  it('are answered over HTTP with the event, its version and what to do', async () => {
    const { folder, runIds } = await folderOfNewer(newerVersion);
    service = await startHosted({ store: new SqliteRunStore({ folder, workers: builtWorkers }) });
    const path = `/workflows/gated/runs/${runIds['gated']}`;
    const error = expect.stringMatching(/is of type run-started, version 9, .*start the newer version/);
    for (const answer of [
      await service.get(path),
      await service.get(`${path}/snapshots`),
      await service.post(`${path}/resume`),
      await service.post(`${path}/hitl`, { approved: true }),
    ]) {
      expect([answer.status, answer.body]).toEqual([500, { error, code: 'unreadable-event' }]);
    }
    expect((await service.get('/health')).status).toBe(200);
  });
});
