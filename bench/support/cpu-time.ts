import { readFileSync, readdirSync } from 'node:fs';

/** Linux counts CPU time for programs in hundredths of a second. */
const MICROS_PER_TICK = 10_000;

/**
 * CPU time in µs that the processes, their threads and all that they started have taken so far; from /proc, so that it
 * works for any program. Null where there is none: then only throughput is compared.
 */
export function cpuMicrosOf(pids: readonly number[]): number | null {
  const times = readTimes();
  if (times === null) return null;
  const wanted = new Set(pids);
  // A process's id may be smaller than its parent's, so once is not enough.
  for (let before = 0; before !== wanted.size;) {
    before = wanted.size;
    for (const [pid, { parent }] of times) if (wanted.has(parent)) wanted.add(pid);
  }
  let ticks = 0;
  for (const pid of wanted) ticks += times.get(pid)?.ticks ?? 0;
  return ticks * MICROS_PER_TICK;
}

/** Resident memory of one process in MB (10⁶ bytes); null where there is no /proc. */
export function residentMegabytesOf(pid: number): number | null {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? null : (Number(kibibytes) * 1_024) / 1e6;
  } catch {
    return null;
  }
}

interface Times {
  readonly parent: number;
  /** Its own and those of its children that ended. */
  readonly ticks: number;
}

function readTimes(): ReadonlyMap<number, Times> | null {
  if (process.platform !== 'linux') return null;
  const times = new Map<number, Times>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const found = timesOf(name);
    if (found !== null) times.set(Number(name), found);
  }
  return times;
}

/** Null: it ended meanwhile. */
function timesOf(pid: string): Times | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in brackets and may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return null;
  }
}
