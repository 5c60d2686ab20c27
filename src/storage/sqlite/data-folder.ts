import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StoreError } from '../../errors/service-errors.js';

/** What lies in the folder that one process owns. */
export interface DataFolder {
  readonly path: string;
  readonly runsFile: string;
  /** Full-text search; it can be lost and is then built again from the runs. */
  readonly memoryFile: string;
  readonly ownerFile: string;
  /** The calls of units that have begun; there only while somebody owns the folder, or after a crash. */
  readonly callsFile: string;
  /** The runs in which the process may die; there only while such work goes on, or after a crash. */
  readonly risksFile: string;
}

export function dataFolder(path: string): DataFolder {
  const absolute = resolve(path);
  return {
    path: absolute,
    runsFile: join(absolute, 'runs.db'),
    memoryFile: join(absolute, 'memory.db'),
    ownerFile: join(absolute, 'owner.lock.db'),
    callsFile: join(absolute, 'calls.log'),
    risksFile: join(absolute, 'risks.log'),
  };
}

/** Makes the folder when it is missing, for its owner's eyes only: runs and bindings hold what is confidential. */
export function createDataFolder({ path }: DataFolder): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StoreError(
      'The data folder cannot be created: give its parent folder write access, or name another',
      {
        cause: error,
      },
    );
  }
}
