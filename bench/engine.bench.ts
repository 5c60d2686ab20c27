// Runs per second of three in-process units, engine alone, in memory. Not measured: HTTP, JSON, a store on disk.
import { createEngine } from '../dist/engine/index.js';
import { median } from './service.ts';
import { threeUnits } from './workflows.ts';

const ROUNDS = 7;
const RUNS_PER_ROUND = 20_000;
const CALLERS = 32;

/** Resolves with runs per second and µs of CPU per run (all threads, so garbage collection is in it). */
export async function benchEngine(): Promise<{ runsPerSecond: number; cpuMicrosPerRun: number }> {
  const engine = createEngine();
  await engine.open();
  engine.registerUnit('bench.unit', () => ({ ok: true }));
  await engine.workflows.register({ yaml: threeUnits.replaceAll('UNIT', 'bench.unit') });
  const rounds: { perSecond: number; cpu: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let left = RUNS_PER_ROUND;
    const cpuBefore = process.cpuUsage();
    const before = performance.now();
    const caller = async (): Promise<void> => {
      while (left-- > 0) {
        if (left % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
        await engine.runs.start({ workflowId: 'three', input: { amount: 5 }, sync: true });
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    const cpu = process.cpuUsage(cpuBefore);
    rounds.push({
      perSecond: RUNS_PER_ROUND / ((performance.now() - before) / 1_000),
      cpu: (cpu.user + cpu.system) / RUNS_PER_ROUND,
    });
  }
  await engine.close();
  const warm = rounds.slice(2);
  return {
    runsPerSecond: Math.round(median(warm.map(({ perSecond }) => perSecond))),
    cpuMicrosPerRun: Math.round(median(warm.map(({ cpu }) => cpu))),
  };
}
