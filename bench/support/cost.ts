import type { Sample } from './contest.ts';
import { cpuMicrosOf } from './cpu-time.ts';

/** What was done while it was watched. */
interface Done {
  readonly done: number;
  readonly seconds: number;
}

/** What the work costs, per operation: those who serve it, with all that they started, and this process, which makes the load. */
export async function costOf(pids: readonly number[], work: () => Promise<Done>): Promise<Sample> {
  const before = cpuMicrosOf(pids);
  const ownBefore = process.cpuUsage();
  const { done, seconds } = await work();
  const { user, system } = process.cpuUsage(ownBefore);
  const after = cpuMicrosOf(pids);
  return {
    perSecond: done / seconds,
    done,
    cpuMicros: before === null || after === null || done === 0 ? null : (after - before) / done,
    generatorMicros: done === 0 ? null : (user + system) / done,
  };
}
