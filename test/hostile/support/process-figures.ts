import { readFileSync, readdirSync } from 'node:fs';

/** What the system says of a process, from outside. It works on Linux only and is null elsewhere. */

/** The memory that the process holds now. */
export function residentMib(pid: number): number | null {
  return statusMib(pid, 'VmRSS');
}

/** The most memory that it ever held, also between two reads. */
export function peakResidentMib(pid: number): number | null {
  return statusMib(pid, 'VmHWM');
}

/** The threads that a response can wait for, by process; those of the garbage collector and of file access are not. */
const serving = new Map<number, { readonly threads: readonly string[]; readonly until: number }>();
const LOOK_AGAIN_MS = 500;

/** How long the serving threads have waited for a free processor since the start of the process. */
export function processorWaitMs(pid: number): number {
  let waitedNs = 0;
  for (const thread of servingThreads(pid))
    waitedNs += Number(read(`${thread}/schedstat`)?.split(' ')[1] ?? 0);
  return waitedNs / 1e6;
}

/** The main thread, and those of the store. */
function servingThreads(pid: number): readonly string[] {
  const known = serving.get(pid);
  if (known !== undefined && performance.now() < known.until) return known.threads;
  const folder = `/proc/${pid}/task`;
  const threads = list(folder)
    .filter((id) => id === String(pid) || read(`${folder}/${id}/comm`)?.startsWith('store '))
    .map((id) => `${folder}/${id}`);
  serving.set(pid, { threads, until: performance.now() + LOOK_AGAIN_MS });
  return threads;
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

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
