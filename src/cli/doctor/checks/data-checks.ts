import { constants } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { finding, note, ok, type Check } from '../check.js';
import { reasonOf } from '../../input/read-text.js';
import { syncMs } from './sync-time.js';

/** What the checks ask of the disk; tests have other disks. */
export interface Disk {
  readonly statfs: (folder: string) => Promise<DiskSpace>;
  /** How long each of a few writes took until the disk had them. */
  readonly syncMs: (folder: string) => Promise<readonly number[]>;
}

type DiskSpace = Readonly<Record<'type' | 'bsize' | 'bavail' | 'files' | 'ffree', number>>;

export const REAL_DISK: Disk = { statfs, syncMs };

const MIB = 1024 * 1024;
/** Below this a busy service fills it in hours. */
const LEAST_BYTES = 512 * MIB;
const LEAST_FILES = 1_000;
/** Each start of a run waits for one; a disk of today takes a few ms. */
const SLOW_MS = 50;
/** No disk syncs so soon: the writes were not synced at all. */
const IMPLAUSIBLE_MS = 0.004;
const MAX_FILES = 1_000;
const IN_MEMORY: Readonly<Record<number, string>> = { 0x01021994: 'tmpfs', 0x858458f6: 'ramfs' };
const ON_THE_NETWORK: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB',
  0x517b: 'SMB',
  0x01021997: '9p',
};

/** The data folder of a service that would be started here: rights, space, and whether its disk keeps what it is told to keep. */
export async function dataChecks(dataDir: string, disk: Disk): Promise<readonly Check[]> {
  const path = resolve(dataDir);
  const there = await existingFolder(path);
  if (typeof there !== 'string') return [there.fault];
  const rights = await rightsFault(there, there === path);
  if (rights !== null) return [rights];
  const found = await disk.statfs(there);
  const name = there === path ? dataDir : `${dataDir} (to be made in ${there})`;
  return [spaceCheck(name, found), await diskCheck(there, found, disk)];
}

/** The folder, or the nearest above it that there is. */
async function existingFolder(path: string): Promise<string | { readonly fault: Check }> {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      if ((await stat(folder)).isDirectory()) return folder;
      return { fault: finding('data', `${folder} is no folder.`, otherFolder()) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' && folder !== dirname(folder)) continue;
      return { fault: finding('data', `${folder} cannot be read: ${reasonOf(error)}.`, otherFolder()) };
    }
  }
}

async function rightsFault(folder: string, isDataFolder: boolean): Promise<Check | null> {
  const { R_OK, W_OK, X_OK } = constants;
  const what = isDataFolder ? folder : `${folder}, where the data folder would be made,`;
  if (!(await may(folder, R_OK | W_OK | X_OK)))
    return finding('data', `${what} may not be read and written.`, 'Give it to the user of the service.');
  if (!isDataFolder) return null;
  if (process.platform !== 'win32' && ((await stat(folder)).mode & 0o002) !== 0)
    return finding(
      'data',
      `${folder} may be written by everybody on this machine.`,
      `Run chmod o-w ${folder}.`,
    );
  for (const name of (await readdir(folder)).slice(0, MAX_FILES)) {
    if (await may(join(folder, name), R_OK | W_OK)) continue;
    return finding(
      'data',
      `${join(folder, name)} may not be read and written.`,
      'Start the service as the user who owns it, or give it to that user.',
    );
  }
  return null;
}

function spaceCheck(name: string, { bsize, bavail, files, ffree }: DiskSpace): Check {
  const free = bsize * bavail;
  const shown =
    free < 10_240 * MIB ? `${Math.floor(free / MIB)} MiB` : `${Math.floor(free / MIB / 1024)} GiB`;
  if (free < LEAST_BYTES)
    return finding(
      'data',
      `${name}: only ${shown} are free.`,
      'Make room, or keep ended runs for fewer days: FLOWGATE_RETENTION_DAYS.',
    );
  // Some file systems count none.
  if (files > 0 && ffree < LEAST_FILES)
    return finding(
      'data',
      `${name}: only ${ffree} more files fit.`,
      'Remove files from this disk, or take another one.',
    );
  return ok('data', `${name}: ${shown} free`);
}

async function diskCheck(folder: string, { type }: DiskSpace, disk: Disk): Promise<Check> {
  const memory = IN_MEMORY[type];
  if (memory !== undefined)
    return finding(
      'disk',
      `${folder} is in memory (${memory}): a restart of the machine forgets every run.`,
      otherFolder(),
    );
  const network = ON_THE_NETWORK[type >>> 0];
  if (network !== undefined)
    return finding(
      'disk',
      `${folder} is on ${network}: SQLite's locks do not hold there, and a file may be damaged.`,
      'Take a disk of this machine, or FLOWGATE_STORE=postgres.',
    );
  const times = await disk.syncMs(folder);
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const shown = median < 10 ? median.toFixed(1) : String(Math.round(median));
  if (median > SLOW_MS)
    return finding(
      'disk',
      `A write takes ${shown} ms until the disk has it, and each step of a run waits for one.`,
      'Take another disk, or see what else writes to this one.',
    );
  if (median < IMPLAUSIBLE_MS)
    return note(
      'disk',
      'Writes are acknowledged sooner than a disk can keep them: after a power cut runs may be missing',
    );
  return ok('disk', `A write takes ${shown} ms until the disk has it`);
}

function may(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

function otherFolder(): string {
  return 'Name another folder: FLOWGATE_DATA_DIR, or `flowgate serve --data-dir`.';
}
