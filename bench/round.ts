// One engine in a process of its own, which measures a round whenever its parent asks (see against.ts).
// Arguments: the folder of a build, and `memory` or `sqlite`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { threeUnits } from './workflows.ts';

const CALLERS = 32;
const [build = 'dist', store = 'memory'] = process.argv.slice(2);

const load = (file: string) => import(pathToFileURL(resolve(build, file)).href);
const folder = await mkdtemp(join(tmpdir(), 'flowgate-bench-'));
const { createEngine } = await load('engine/index.js');
const { SqliteRunStore } = await load('index.js');
const engine = createEngine(store === 'sqlite' ? { store: new SqliteRunStore({ folder }) } : {});
await engine.open();
engine.registerUnit('bench.unit', () => ({ ok: true }));
const yaml = threeUnits.replaceAll('UNIT', 'bench.unit');
// Builds of before the engine was parted into facets have the methods at its top.
await (engine.workflows?.register ? engine.workflows.register({ yaml }) : engine.register({ yaml }));
const request = { workflowId: 'three', input: { amount: 5 }, sync: true };
const start = engine.runs ? () => engine.runs.start(request) : () => engine.start(request);

async function round(runs: number): Promise<{ perSecond: number; cpuMicros: number }> {
  let left = runs;
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      if (left % 500 === 0) await new Promise((go) => setImmediate(go));
      await start();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const cpu = process.cpuUsage(cpuBefore);
  return {
    perSecond: runs / ((performance.now() - before) / 1_000),
    cpuMicros: (cpu.user + cpu.system) / runs,
  };
}

process.on('message', async (runs: number) => {
  if (runs > 0) {
    process.send?.(await round(runs));
    return;
  }
  await engine.close();
  await rm(folder, { recursive: true, force: true });
  process.disconnect();
});
process.send?.('ready');
