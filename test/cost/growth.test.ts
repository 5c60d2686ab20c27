import { statSync } from 'node:fs';
import { join } from 'node:path';
import { appendOperation } from '../../src/storage/sqlite/operations/append/append-operation.js';
import { charsIn } from '../../src/storage/sqlite/operations/operation.js';
import { DurableEngines, type DurableEngine } from '../support/durability-engine.js';
import { inSequence, workflowYaml } from '../support/engine.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

const OUTPUT = 'x'.repeat(1_024);
const none = { contextPolicy: { state: 'none' } };

function chain(length: number): string {
  const units = Array.from({ length }, (_, index) => ({ id: `u${index}`, uses: 'work', ...none }));
  return inSequence(`chain-${length}`, units);
}

async function open(...lengths: readonly number[]): Promise<DurableEngine & { readonly folder: string }> {
  const folder = engines.folder();
  const opened = await engines.open(folder, { work: () => OUTPUT });
  for (const length of lengths) await opened.engine.workflows.register({ yaml: chain(length) });
  return { ...opened, folder };
}

/** The number of characters that the store was given. */
const written = ({ store }: DurableEngine): number =>
  store.asked.reduce((chars, request) => chars + charsIn(appendOperation(request)), 0);

async function run({ engine }: DurableEngine, length: number): Promise<void> {
  const { status } = await engine.runs.start({ workflowId: `chain-${length}`, sync: true });
  expect(status).toBe('completed');
}

describe('a run of 1,000 units with outputs of 1 KB', () => {
  it('writes per unit at most 1.5 times what a run of 10 does', async () => {
    const perUnit: number[] = [];
    for (const length of [10, 1_000]) {
      const opened = await open(length);
      await run(opened, length);
      perUnit.push(written(opened) / length);
    }
    expect(perUnit[1]! / perUnit[0]!).toBeLessThan(1.5);
    // Not only because the overhead of a run is shared by few units: an output is in the log once.
    expect(perUnit[1]!).toBeLessThan(1.75 * OUTPUT.length);
  });

  it('takes per unit at most 1.5 times the disk', async () => {
    const perUnit: number[] = [];
    for (const [runs, length] of [
      [20, 10],
      [1, 1_000],
    ] as const) {
      const opened = await open(length);
      const before = sizeOf(opened.folder);
      for (let i = 0; i < runs; i++) await run(opened, length);
      await opened.engine.close();
      perUnit.push((sizeOf(opened.folder) - before) / (runs * length));
    }
    expect(perUnit[1]! / perUnit[0]!).toBeLessThan(1.5);
  });

  it('takes per unit at most 1.5 times the processor time', async () => {
    const opened = await open(10, 1_000);
    const micros = async (runs: number, length: number): Promise<number> => {
      const { user, system } = process.cpuUsage();
      for (let i = 0; i < runs; i++) await run(opened, length);
      const used = process.cpuUsage({ user, system });
      return used.user + used.system;
    };
    await micros(10, 10);
    let best = Infinity;
    // As many units either way. Other work on the machine distorts single measurements, not all of them.
    for (let tries = 0; tries < 6 && best >= 1.5; tries++) {
      const few = await micros(100, 10);
      best = Math.min(best, (await micros(1, 1_000)) / few);
    }
    expect(best).toBeLessThan(1.5);
  }, 30_000);
});

describe('full states', () => {
  const loop = (id: string, units: readonly object[], body: string, first: readonly string[]): string =>
    workflowYaml(id, {
      units,
      flow: {
        type: 'sequential',
        order: [...first, { type: 'loop', unit: body, maxIterations: 1_500, until: 'false' }],
      },
    });
  const step = { id: 'step', uses: 'step', ...none };

  it('are stored when the log has outgrown them, so that a long run is loaded from its last part', async () => {
    const { engine, store } = await engines.open(engines.folder(), { step: () => 1 });
    await engine.workflows.register({ yaml: loop('long', [step], 'step', []) });
    const { runId } = await engine.runs.start({ workflowId: 'long', sync: true });
    const loaded = await store.load({ runId, atSeq: null });
    const length = (await store.readEvents({ runId, afterSeq: 0, limit: 100_000 })).length;
    expect(length).toBeGreaterThan(4_000);
    expect(loaded?.storedState).not.toBeNull();
    expect(loaded!.events.length).toBeLessThan(1_000);
  });

  it('cost a run with a large state no more than a quarter of its log', async () => {
    const { engine, store } = await engines.open(engines.folder(), {
      step: () => 1,
      fetch: () => 'x'.repeat(300_000),
    });
    const units = [step, { id: 'fetch', uses: 'fetch', ...none }];
    await engine.workflows.register({ yaml: loop('large', units, 'step', ['fetch']) });
    await engine.runs.start({ workflowId: 'large', sync: true });
    const chars = (value: unknown): number => JSON.stringify(value).length;
    const log = store.asked.reduce((sum, { events }) => sum + chars(events), 0);
    const states = store.asked.reduce((sum, { storedState }) => sum + chars(storedState), 0);
    expect(states).toBeLessThan(0.3 * log);
  });
});

/** The size of the database, with its write-ahead log. */
function sizeOf(folder: string): number {
  const sizes = ['runs.db', 'runs.db-wal'].map(
    (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
