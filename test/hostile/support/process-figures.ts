import { readFileSync } from 'node:fs';

/** What the system says of a process, from outside; on Linux only, elsewhere nothing is known (null). */

/** The memory that the process holds now. */
export function residentMib(pid: number): number | null {
  return statusMib(pid, 'VmRSS');
}

/** The most memory that it ever held, also between two looks. */
export function peakResidentMib(pid: number): number | null {
  return statusMib(pid, 'VmHWM');
}

/** How long its main thread could have run, had a processor been free; since its start. */
export function processorWaitMs(pid: number): number {
  const waitNs = read(`/proc/${pid}/schedstat`)?.split(' ')[1];
  return waitNs === undefined ? 0 : Number(waitNs) / 1e6;
}

function statusMib(pid: number, field: string): number | null {
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return kib === undefined ? null : Number(kib) / 1024;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
