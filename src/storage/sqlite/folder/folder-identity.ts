import { statSync } from 'node:fs';
import { StoreError } from '../../../errors/service-errors.js';
import type { DataFolder } from './data-folder.js';

/** A look at the disk costs some microseconds: commits under load share one. */
const LOOK_EVERY_MS = 20;

/**
 * Whether the files that were opened are still those in the folder. SQLite does not notice when they are removed under it:
 * it continues with files that nobody will ever find again.
 *
 * 1. What is committed more than `LOOK_EVERY_MS` after the loss is not acknowledged, and nothing is read or written once the
 *    loss was noticed.
 * 2. When the same files are back (a folder that was moved away and back), so is the service.
 */
export class FolderIdentity {
  private readonly files: readonly { readonly path: string; readonly identity: string | null }[];
  private isLost = false;
  private lookedAt = 0;

  /** To be created while the files are open: SQLite removes its log with the last connection. */
  constructor({ path, runsFile }: DataFolder) {
    this.files = [path, runsFile, `${runsFile}-wal`]
      .map((file) => ({ path: file, identity: identityOf(file) }))
      .filter(({ identity }) => identity !== null);
  }

  isThere(): boolean {
    return this.files.every(({ path, identity }) => identityOf(path) === identity);
  }

  /** Looks at the disk. Throws a `StoreError` while the files are not there. */
  verify(): void {
    this.lookedAt = performance.now();
    this.isLost = !this.isThere();
    if (!this.isLost) return;
    throw new StoreError(
      'The data folder was removed or replaced while the service ran: put the same folder back, or restore a backup ' +
        'and restart the service; until then it stores nothing',
    );
  }

  /** As `verify`, before a commit is acknowledged: it looks only once in a while. */
  verifyNowAndThen(): void {
    if (this.isLost || performance.now() - this.lookedAt >= LOOK_EVERY_MS) this.verify();
  }

  /** To be called before reads and writes: it looks only once the loss was noticed. */
  refuseIfLost(): void {
    if (this.isLost) this.verify();
  }
}

/** Device and inode; null where there is no such file, or none that may be seen. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}
