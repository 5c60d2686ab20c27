import { mkdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { SilentDiskError, StoreError } from '../../../errors/service-errors.js';

/** The files of the folder that one process owns. */
export interface DataFolder {
  readonly path: string;
  readonly runsFile: string;
  /** Full-text search; it can be lost and is then built again from the runs. */
  readonly memoryFile: string;
  readonly ownerFile: string;
  /** The calls of units that have begun; it exists only while a process owns the folder, or after a crash. */
  readonly callsFile: string;
  /** How far the log went; it exists only while a process owns the folder, or after a crash. */
  readonly positionFile: string;
  /** The runs that may crash the process; it exists only during such work, or after a crash. */
  readonly risksFile: string;
}

/** A disk that responds at all, even over a network, does so much sooner. */
const MAX_WAIT_MS = 3_000;

export function dataFolder(path: string): DataFolder {
  const absolute = resolve(path);
  return {
    path: absolute,
    runsFile: join(absolute, 'runs.db'),
    memoryFile: join(absolute, 'memory.db'),
    ownerFile: join(absolute, 'owner.lock.db'),
    callsFile: join(absolute, 'calls.log'),
    positionFile: positionFileBeside(join(absolute, 'runs.db')),
    risksFile: join(absolute, 'risks.log'),
  };
}

export function positionFileBeside(runsFile: string): string {
  return join(dirname(runsFile), 'last-position.txt');
}

/**
 * Creates the folder when it is missing, readable for its owner only: runs and bindings are confidential. What is to be a
 * file in it must be one: opening a pipe of that name would wait forever. Rejects with a `StoreError`, also when the file
 * system does not respond in time: these asynchronous calls block nothing else.
 */
export async function createDataFolder(folder: DataFolder, maxWaitMs = MAX_WAIT_MS): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new SilentDiskError()), maxWaitMs);
  });
  try {
    await Promise.race([prepare(folder), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

async function prepare({ path, ...files }: DataFolder): Promise<void> {
  try {
    await makeFolder(path);
  } catch (error) {
    if ((await stat(path).catch(() => null))?.isFile() === true)
      throw new StoreError('The data folder is a file: name a folder', { cause: error });
    throw new StoreError(
      'The data folder cannot be created: give its parent folder write access, or name another, on a disk',
      { cause: error },
    );
  }
  for (const file of Object.values(files)) {
    const kind = await stat(file).catch(() => null);
    if (kind === null || kind.isFile()) continue;
    throw new StoreError(
      `${basename(file)} in the data folder is no file: move it away, or name another folder`,
    );
  }
}

/**
 * Creates the folder and its parents, one after another. Node's own `recursive` takes "not found" to mean that a parent is
 * missing, and retries forever where a virtual file system (`/proc`) says so of a folder that it does not let anybody
 * create.
 */
async function makeFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (found?.isDirectory() === true) return;
  if (found === null && dirname(path) !== path) await makeFolder(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // The memory may create the same folder at the same time.
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() === true;
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
