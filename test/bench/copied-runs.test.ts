import { join } from 'node:path';
import { copyRun } from '../../bench/support/copy-run.ts';
import { startThree, threeUnits } from '../../bench/support/workflows.ts';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { SqliteMemoryIndex } from '../../src/storage/sqlite/sqlite-memory-index.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { runsStored } from '../support/runs-stored.js';

const COPIES = 40;
const workers = builtWorkers;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function withEngine<Result>(use: (engine: Engine, store: SqliteRunStore) => Promise<Result>) {
  const store = new SqliteRunStore({ folder: folder.path, workers });
  const engine = createEngine({ store, memory: new SqliteMemoryIndex({ folder: folder.path, workers }) });
  await engine.open();
  await engine.workflows.register({ yaml: threeUnits.replaceAll('UNIT', 'builtin.mock') });
  try {
    return await use(engine, store);
  } finally {
    await engine.close();
  }
}

describe('copies of a run, made with SQL', () => {
  it('are runs like the one that they are copies of, and new ones are next to them', async () => {
    const original = await withEngine((engine) => engine.runs.start({ workflowId: 'three', ...startThree }));
    const idOf = copyRun(join(folder.path, 'runs.db'), original.runId, COPIES);
    await withEngine(async (engine, store) => {
      expect(await runsStored(store, { workflowId: 'three' })).toHaveLength(COPIES + 1);
      for (const copy of [1, COPIES]) {
        const record = await engine.runs.get({ workflowId: 'three', runId: idOf(copy) });
        // Inside their first event they still have the name of the original.
        expect(record).toEqual(original);
      }
      const { status } = await engine.runs.start({ workflowId: 'three', ...startThree });
      expect(status).toBe('completed');
    });
  });

  it('are not new to whoever follows the log', async () => {
    const { runId } = await withEngine(async (engine) => {
      const run = await engine.runs.start({ workflowId: 'three', ...startThree });
      await caughtUp(engine);
      return run;
    });
    copyRun(join(folder.path, 'runs.db'), runId, COPIES);
    await withEngine(async (engine) => expect((await engine.health()).memoryBehind).toBe(0));
  });
});

async function caughtUp(engine: Engine): Promise<void> {
  while ((await engine.health()).memoryBehind > 0) await new Promise((resolve) => setImmediate(resolve));
}
