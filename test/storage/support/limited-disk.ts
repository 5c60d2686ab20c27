import { execFileSync } from 'node:child_process';
import { temporaryFolder } from '../../support/data-folder.js';

export interface LimitedDisk {
  readonly path: string;
  remove(): Promise<void>;
}

/** A real disk of so many MiB, in memory; null where this user may not mount one. */
export async function limitedDisk(mebibytes: number): Promise<LimitedDisk | null> {
  const folder = await temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder.path], {
      stdio: 'ignore',
    });
  } catch {
    await folder.remove();
    return null;
  }
  return {
    path: folder.path,
    remove: async () => {
      execFileSync('umount', ['--lazy', folder.path]);
      await folder.remove();
    },
  };
}
