// The processes of one server: whoever stops or kills the first of them alone leaves the others at work.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const HAS_PROC = existsSync('/proc/self/stat');

/** PostgreSQL makes its processes by the first one, which is the parent of all. */
export function childrenOf(pid) {
  return parents().flatMap(([child, parent]) => (parent === pid ? [child] : []));
}

export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended meanwhile.
    if (error.code !== 'ESRCH') throw error;
  }
}

/** One that has ended and that nobody has asked for is as good as gone. */
export function isAlive(pid) {
  if (HAS_PROC) return statOf(pid).some(([state]) => !'ZX'.includes(state));
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Every process of the machine with its parent. */
function parents() {
  if (HAS_PROC) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => statOf(name).map(([, parent]) => [Number(name), Number(parent)]));
  }
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
}

/** The state and the parent, which come after the name of the program, which may hold anything. None: it is gone. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return [text.slice(text.lastIndexOf(')') + 2).split(' ')];
  } catch {
    return [];
  }
}
