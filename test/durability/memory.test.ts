import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { InMemoryMemoryIndex, type MemoryIndex } from '../../src/engine/index.js';
import { SqliteMemoryIndex } from '../../src/storage/sqlite/sqlite-memory-index.js';
import { builtWorkers } from '../support/built-worker.js';
import { DurableEngines, type DurableEngine } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence } from '../support/engine.js';
import { runsStored } from '../support/runs-stored.js';

const HOUR_MS = 3_600_000;
const engines = new DurableEngines();
afterEach(() => engines.clear());

const say = () => ({
  say: ({ context }: { context: { unitId: string } }) => `a pelican named ${context.unitId}`,
});
const yaml = inSequence('w', [
  { id: 'anna', uses: 'say' },
  { id: 'secret', uses: 'say', contextPolicy: { memory: { record: false } } },
  { id: 'bert', uses: 'say' },
]);

/** An engine with both of its files in the folder. */
async function open(folder: string): Promise<DurableEngine & { readonly memory: MemoryIndex }> {
  const memory = new SqliteMemoryIndex({ folder, workers: builtWorkers });
  const opened = await engines.open(folder, say(), { memory });
  return { ...opened, memory };
}

/** The unit ids of the entries found, once there are so many. */
async function found({ engine, clock }: DurableEngine, count: number): Promise<readonly unknown[]> {
  let unitIds: readonly unknown[] = [];
  await until(async () => {
    await clock.advance(100);
    const hits = await engine.memory.search({ query: 'pelican', topK: 100 });
    unitIds = hits.map(({ metadata }) => metadata['unitId']).sort();
    return unitIds.length >= count;
  }, `${count} outputs are found`);
  return unitIds;
}

describe('the memory', () => {
  it('has the outputs of units shortly after, but not of those that opted out, and keeps them over a restart', async () => {
    const folder = engines.folder();
    const first = await open(folder);
    await first.engine.workflows.register({ yaml });
    await first.engine.runs.start({ workflowId: 'w', sync: true });
    expect(await found(first, 2)).toEqual(['anna', 'bert']);
    await first.engine.close();
    const second = await open(folder);
    expect(await found(second, 2)).toEqual(['anna', 'bert']);
    await second.engine.workflows.register({ yaml });
    await second.engine.runs.start({ workflowId: 'w', sync: true });
    expect(await found(second, 4)).toEqual(['anna', 'anna', 'bert', 'bert']);
  });

  it('indexes after a restart what the last process left in the log alone', async () => {
    const folder = engines.folder();
    const first = await open(folder);
    first.memory.put = () => Promise.reject(new Error('no time left'));
    await first.engine.workflows.register({ yaml });
    await first.engine.runs.start({ workflowId: 'w', sync: true });
    await first.engine.close();
    expect(await found(await open(folder), 2)).toEqual(['anna', 'bert']);
  });

  it('is filled again from the log when its file is lost', async () => {
    const folder = engines.folder();
    const first = await open(folder);
    await first.engine.workflows.register({ yaml });
    for (let i = 0; i < 60; i++) await first.engine.runs.start({ workflowId: 'w', sync: true });
    await found(first, 100);
    await first.engine.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `memory.db${suffix}`), { force: true });
    const second = await open(folder);
    expect(new Set(await found(second, 100))).toEqual(new Set(['anna', 'bert']));
  });

  it('continues by itself after it failed for a while, also when nothing else happens', async () => {
    const memory = new InMemoryMemoryIndex();
    const put = memory.put.bind(memory);
    let failures = 0;
    memory.put = (request) => (++failures < 3 ? Promise.reject(new Error('busy')) : put(request));
    const opened = await engines.open(engines.folder(), say(), { memory });
    await opened.engine.workflows.register({ yaml });
    await opened.engine.runs.start({ workflowId: 'w', sync: true });
    expect(await found(opened, 2)).toEqual(['anna', 'bert']);
    expect(failures).toBeGreaterThanOrEqual(3);
  });
});

describe('retention', () => {
  it('deletes in small batches, with the memory of the runs, and leaves those that are not over', async () => {
    const memory = new InMemoryMemoryIndex();
    const forget = memory.removeRuns.bind(memory);
    let isFailing = true;
    memory.removeRuns = (request) => {
      if (!isFailing) return forget(request);
      isFailing = false;
      return Promise.reject(new Error('busy'));
    };
    const opened = await engines.open(engines.folder(), say(), { memory, retentionMs: 30 * HOUR_MS });
    const { engine, store, clock } = opened;
    const batches: number[] = [];
    const purge = store.purgeEnded.bind(store);
    store.purgeEnded = async (request) => {
      const runIds = await purge(request);
      batches.push(runIds.length);
      return runIds;
    };
    await engine.workflows.register({ yaml });
    await engine.workflows.register({
      yaml: inSequence('gated', [{ id: 'gate', uses: 'builtin.approval' }]),
    });
    const { runId } = await engine.runs.start({ workflowId: 'gated', sync: true });
    await Promise.all(Array.from({ length: 250 }, () => engine.runs.start({ workflowId: 'w', sync: true })));
    await until(async () => {
      await clock.advance(100);
      return (await store.readCursor({ name: 'memory' })) > 0 && (await found(opened, 100)).length === 100;
    }, 'the memory has followed');
    await clock.advance(31 * HOUR_MS);
    await until(async () => {
      await clock.advance(HOUR_MS);
      const left = await runsStored(store);
      const hits = await engine.memory.search({ query: 'pelican', topK: 100 });
      return left.length === 1 && hits.length === 0;
    }, 'nothing is left but the run that waits');
    expect(Math.max(...batches)).toBe(100);
    expect((await engine.runs.get({ workflowId: 'gated', runId })).status).toBe('paused');
  });
});
