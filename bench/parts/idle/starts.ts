import { setTimeout as delay } from 'node:timers/promises';
import { cpuMicrosOf, residentMegabytesOf } from '../../support/cpu-time.ts';
import type { Effort } from '../../support/part.ts';
import type { Quantity } from '../../support/results.ts';
import { scoped } from '../../support/scope.ts';
import { freePort, startProgram } from '../../support/service.ts';
import { figureOf } from '../../support/statistics.ts';

const SETTLE_MS = 5_000;

/** What the start of the service takes, and what it holds and does when nobody asks anything. */
export async function starts(effort: Effort): Promise<readonly Quantity[]> {
  const startMs: number[] = [];
  const idleMegabytes: number[] = [];
  const idleCpu: number[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    const start = await startOnce(effort.quick ? 1_000 : SETTLE_MS);
    startMs.push(start.startMs);
    if (start.megabytes !== null) idleMegabytes.push(start.megabytes);
    if (start.cpuMsPerSecond !== null) idleCpu.push(start.cpuMsPerSecond);
  }
  return [
    { id: 'start', title: 'Start of the service, to the first answer', unit: 'ms', values: startMs },
    { id: 'idle-memory', title: 'Resident memory, idle', unit: 'MB', values: idleMegabytes },
    { id: 'idle-cpu', title: 'CPU, idle', unit: 'ms per second', values: idleCpu },
  ].flatMap(({ values, ...quantity }) =>
    values.length === 0 ? [] : [{ ...quantity, value: figureOf(values) }],
  );
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
    await delay(settleMs);
    const cpuAfter = cpuMicrosOf([pid]);
    const cpuMsPerSecond = cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / settleMs;
    return { startMs, megabytes: residentMegabytesOf(pid), cpuMsPerSecond };
  });
}
