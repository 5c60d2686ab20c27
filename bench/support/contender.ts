import { caughtUp } from './caught-up.ts';
import { startChild, answerParent } from './child.ts';
import type { Sample } from './contest.ts';

/** Operations under way at the same time. */
export const CALLERS = 32;

interface Round {
  readonly operation: string;
  readonly seconds: number;
}

export interface ContenderProcess {
  /** One round of the operation. */
  measure(operation: string, seconds: number): Promise<Sample>;
  stop(): Promise<void>;
}

/** A contender without HTTP, in a process of its own: its CPU time is all of the process, every thread counted. */
export async function startContender(
  script: string,
  args: readonly string[] = [],
): Promise<ContenderProcess> {
  const child = await startChild<Round, Sample>(script, args);
  return { measure: (operation, seconds) => child.ask({ operation, seconds }), stop: child.stop };
}

/**
 * The process's own end of it. `behind` says how much is left of the work that follows the operations; `elsewhere`, which CPU time
 * (µs) others have spent for it so far.
 */
export function contend(
  operations: Readonly<Record<string, () => Promise<unknown>>>,
  close: () => Promise<void>,
  behind: () => Promise<number> = () => Promise.resolve(0),
  elsewhere: () => number = () => 0,
): void {
  answerParent<Round, Sample>(async ({ operation, seconds }) => {
    const operate = operations[operation];
    if (operate === undefined) throw new Error(`No operation ${operation}.`);
    const sample = await round(operate, seconds, elsewhere);
    await caughtUp(behind);
    return sample;
  }, close);
}

async function round(
  operate: () => Promise<unknown>,
  seconds: number,
  elsewhere: () => number,
): Promise<Sample> {
  let done = 0;
  const elsewhereBefore = elsewhere();
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  const end = before + seconds * 1_000;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      // An engine that answers without I/O would keep timers and I/O waiting for the whole round.
      if (++done % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
      await operate();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const cpu = process.cpuUsage(cpuBefore);
  return {
    perSecond: done / ((performance.now() - before) / 1_000),
    done,
    cpuMicros: (cpu.user + cpu.system + elsewhere() - elsewhereBefore) / done,
    // Its callers are in the process.
    generatorMicros: null,
  };
}
