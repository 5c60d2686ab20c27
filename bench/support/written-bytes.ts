import { readFileSync } from 'node:fs';
import { load, type Target } from './load.ts';
import type { Effort } from './part.ts';

/**
 * What the service has the disk write for a run, in KB (10³ bytes), by rounds: the log, its checkpoints, and what the memory
 * takes over of them. Empty where the system does not count that.
 */
export async function writtenKilobytesPerRun(
  service: Target & { readonly pid: number },
  { rounds, seconds }: Pick<Effort, 'rounds' | 'seconds'>,
): Promise<readonly number[]> {
  const written: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = writtenBytesOf(service.pid);
    const { done } = await load(service, seconds);
    const after = writtenBytesOf(service.pid);
    if (before !== null && after !== null && done > 0) written.push((after - before) / 1_000 / done);
  }
  return written;
}

/** Bytes that the process has had the system write to a disk so far; null where there is no /proc. */
function writtenBytesOf(pid: number): number | null {
  try {
    const [, bytes] = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8')) ?? [];
    return bytes === undefined ? null : Number(bytes);
  } catch {
    return null;
  }
}
