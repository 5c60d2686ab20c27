import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder whose space can run out, and come back, while a process works in it. */
export interface LimitedDisk {
  readonly path: string;
  /** Makes every write of the process fail from now on. */
  fill(pid: number): void;
  free(pid: number): void;
  close(): void;
}

const DISK_MIB = 24;
const CHUNK = Buffer.alloc(64 * 1024);

/** A way to run out of space. */
export interface DiskLimit {
  readonly name: string;
  /** A new, empty disk. */
  open(): LimitedDisk;
}

/** The most realistic way that this machine allows; undefined when there is none. */
export function diskLimit(): DiskLimit | undefined {
  const limits = [
    { name: 'a small tmpfs', open: mountedDisk },
    { name: 'a limit on the size of files', open: quota },
  ];
  return limits.find(works);
}

function works({ open }: DiskLimit): boolean {
  try {
    open().close();
    return true;
  } catch {
    return false;
  }
}

/** A real file system: a write beyond its size is ENOSPC. Needs the right to mount. */
function mountedDisk(): LimitedDisk {
  const path = newFolder();
  const options = `size=${DISK_MIB}m,mode=777`;
  const umount = () => {
    asRoot('umount', [path]);
    rmSync(path, { recursive: true });
  };
  if (!asRoot('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path])) {
    rmSync(path, { recursive: true });
    throw new Error('mounting is not allowed here');
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill: () => fillUp(filler),
    free: () => rmSync(filler, { force: true }),
    close: umount,
  };
}

/** A substitute for a quota: the kernel refuses every write of the process beyond the first byte of a file. */
function quota(): LimitedDisk {
  const path = newFolder();
  const limit = (pid: number, bytes: string) => {
    if (!run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]))
      throw new Error('prlimit does not work here');
  };
  limit(process.pid, 'unlimited');
  return {
    path,
    fill: (pid) => limit(pid, '1'),
    free: (pid) => limit(pid, 'unlimited'),
    close: () => rmSync(path, { recursive: true, force: true }),
  };
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'flowgate-disk-'));
}

function fillUp(file: string): void {
  const descriptor = openSync(file, 'a');
  try {
    for (let bytes = CHUNK.length; bytes >= 1;) {
      try {
        writeSync(descriptor, CHUNK, 0, bytes);
      } catch {
        bytes = Math.floor(bytes / 2);
      }
    }
  } finally {
    closeSync(descriptor);
  }
  if (statSync(file).size === 0) throw new Error('The disk was full before it was filled.');
}

function asRoot(command: string, parameters: readonly string[]): boolean {
  return run(command, parameters) || run('sudo', ['-n', command, ...parameters]);
}

function run(command: string, parameters: readonly string[]): boolean {
  return spawnSync(command, parameters, { stdio: 'ignore' }).status === 0;
}
