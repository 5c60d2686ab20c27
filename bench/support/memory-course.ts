import { residentMegabytesOf } from './cpu-time.ts';
import type { Series } from './results.ts';
import { figureOf, median } from './statistics.ts';

const SAMPLES = 60;
const TENTHS = 10;
/** In them the heap takes the size that the load asks for. */
const GROWING_TENTHS = 2;

export interface MemorySample {
  /** Since the beginning. */
  readonly second: number;
  readonly megabytes: number;
}

/** Resident memory of a process, sixty times while the work of so many seconds is done; empty where there is no /proc. */
export async function residentMemoryDuring(
  pid: number,
  seconds: number,
  work: () => Promise<void>,
): Promise<readonly MemorySample[]> {
  const samples: MemorySample[] = [];
  const before = performance.now();
  const sampling = setInterval(
    () => {
      const megabytes = residentMegabytesOf(pid);
      const second = Math.round((performance.now() - before) / 1_000);
      if (megabytes !== null) samples.push({ second, megabytes });
    },
    (seconds * 1_000) / SAMPLES,
  );
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  return samples;
}

/**
 * How flat the memory is after the first fifth of the time, in %: the largest tenth of the time against the smallest. A tenth
 * is the median of its samples, so that the moment before a garbage collection does not decide.
 */
export function unevenness(samples: readonly MemorySample[]): number {
  const tenths = Array.from({ length: TENTHS }, (_, tenth) =>
    samples.slice((tenth * samples.length) / TENTHS, ((tenth + 1) * samples.length) / TENTHS),
  );
  const settled = tenths
    .slice(GROWING_TENTHS)
    .filter((part) => part.length > 0)
    .map((part) => median(part.map(({ megabytes }) => megabytes)));
  return (Math.max(...settled) / Math.min(...settled) - 1) * 100;
}

/** The picture of it. */
export function memoryCourse(
  what: Pick<Series, 'id' | 'title'>,
  courses: Readonly<Record<string, readonly MemorySample[]>>,
): Series {
  return {
    ...what,
    sizeName: 'seconds',
    unit: 'MB',
    axes: 'even',
    lines: Object.entries(courses).map(([name, samples]) => ({
      name,
      points: samples.map(({ second, megabytes }) => ({ size: second, value: figureOf([megabytes]) })),
    })),
  };
}
