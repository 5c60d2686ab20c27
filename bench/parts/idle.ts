// Part 6: how long the service takes to start, what it holds when nobody asks anything, and how that grows at half load.
// On SQLite, the default. Not measured: days; growth of the data folder; other work than short runs.
import { cpuMicrosOf, residentMegabytesOf } from '../support/cpu-time.ts';
import { load } from '../support/load.ts';
import { startFlowgate } from '../support/our-services.ts';
import { say, type Effort, type Part } from '../support/part.ts';
import { NOTHING_FOUND, type Findings, type Quantity, type Series } from '../support/results.ts';
import { scoped } from '../support/scope.ts';
import { freePort, startProgram } from '../support/service.ts';
import { figureOf, median } from '../support/statistics.ts';
import { SQLITE_DURABILITY } from './engine.ts';

const SETTLE_MS = 5_000;
const SAMPLES = 60;

export const idle: Part = {
  name: 'idle',
  title: 'start time, idle memory, and ten minutes at half load',
  minutes: 11.5,
  measure,
};

async function measure(effort: Effort): Promise<Findings> {
  const starts: number[] = [];
  const idleMegabytes: number[] = [];
  const idleCpu: number[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    const { startMs, megabytes, cpuMsPerSecond } = await startOnce(effort.quick ? 1_000 : SETTLE_MS);
    starts.push(startMs);
    if (megabytes !== null) idleMegabytes.push(megabytes);
    if (cpuMsPerSecond !== null) idleCpu.push(cpuMsPerSecond);
  }
  const { perSecond, samples } = await halfLoad(effort);
  const quantities: Quantity[] = [
    { id: 'start', title: 'Start of the service, to the first answer', unit: 'ms', value: figureOf(starts) },
  ];
  if (idleMegabytes.length > 0)
    quantities.push({
      id: 'idle-memory',
      title: 'Resident memory, idle',
      unit: 'MB',
      value: figureOf(idleMegabytes),
    });
  if (idleCpu.length > 0)
    quantities.push({ id: 'idle-cpu', title: 'CPU, idle', unit: 'ms per second', value: figureOf(idleCpu) });
  if (samples.length > 0)
    quantities.push({
      id: 'memory-growth',
      title: `Growth of resident memory over ${effort.idleMinutes} minutes at half load`,
      unit: '%',
      value: figureOf([growthOf(samples)]),
    });
  const points = samples.map(({ second, megabytes }) => ({ size: second, value: figureOf([megabytes]) }));
  const series: Series[] = [
    {
      id: 'half-load',
      title: 'Resident memory at half load',
      sizeName: 'seconds',
      unit: 'MB',
      axes: 'even',
      lines: [{ name: 'service on SQLite', points }],
    },
  ];
  return {
    ...NOTHING_FOUND,
    quantities,
    series: points.length > 0 ? series : [],
    settings: {
      'minutes at half load': effort.idleMinutes,
      'runs per second at half load': Math.round(perSecond),
    },
    durability: { 'service on SQLite': SQLITE_DURABILITY },
  };
}

interface Start {
  readonly startMs: number;
  readonly megabytes: number | null;
  readonly cpuMsPerSecond: number | null;
}

/** A service on an empty folder, until it answered once, and then left alone for a while. */
function startOnce(settleMs: number): Promise<Start> {
  return scoped(async (scope) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = { PORT: `${port}`, FLOWGATE_DATA_DIR: scope.folder(), LOG_LEVEL: 'error' };
    const before = performance.now();
    const { pid } = await scope.use(startProgram(process.execPath, ['dist/main.js'], env, url));
    const health = await fetch(`${url}/health`);
    if (!health.ok) throw new Error(`/health: ${health.status}`);
    const startMs = performance.now() - before;
    const cpuBefore = cpuMicrosOf([pid]);
    await pause(settleMs);
    const cpuAfter = cpuMicrosOf([pid]);
    const cpuMsPerSecond = cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / settleMs;
    return { startMs, megabytes: residentMegabytesOf(pid), cpuMsPerSecond };
  });
}

interface MemorySample {
  readonly second: number;
  readonly megabytes: number;
}

/** Half of what the service can do, for some minutes. */
function halfLoad(
  effort: Effort,
): Promise<{ readonly perSecond: number; readonly samples: readonly MemorySample[] }> {
  return scoped(async (scope) => {
    const service = await startFlowgate(scope, 'sqlite');
    await load(service, effort.seconds);
    const perSecond = (await load(service, effort.seconds * 2)).perSecond / 2;
    const seconds = Math.max(10, Math.round(effort.idleMinutes * 60));
    say(`  ${seconds} s at ${Math.round(perSecond)} runs per second`);
    const samples: MemorySample[] = [];
    const before = performance.now();
    const sampling = setInterval(
      () => {
        const megabytes = residentMegabytesOf(service.pid);
        const second = Math.round((performance.now() - before) / 1_000);
        if (megabytes !== null) samples.push({ second, megabytes });
      },
      (seconds * 1_000) / SAMPLES,
    );
    try {
      await load(service, seconds, perSecond);
    } finally {
      clearInterval(sampling);
    }
    return { perSecond, samples };
  });
}

/** In %: the last tenth against the second one. In the first the heap takes the size that the load asks for. */
function growthOf(samples: readonly MemorySample[]): number {
  const tenth = Math.max(1, Math.floor(samples.length / 10));
  const middle = (part: readonly MemorySample[]) => median(part.map(({ megabytes }) => megabytes));
  const [early, late] = [middle(samples.slice(tenth, 2 * tenth)), middle(samples.slice(-tenth))];
  return (late / early - 1) * 100;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
