import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { StoreError } from '../../../errors/service-errors.js';
import { numberOf } from '../connection/columns.js';
import { Connection } from '../connection/connection.js';

/** The interval between writes: what the file lacks only makes it notice less of a loss. */
const WRITE_AFTER_MS = 20;
const DIGITS = 16;
const LINE = /^(\d{16}) ([\da-f]{8})\n$/;

/** The last position that the log ever had, also when retention removed that entry. */
const LAST_EVER = "SELECT coalesce(max(seq), 0) AS position FROM sqlite_sequence WHERE name = 'log'";

/**
 * How far the log went, in a small file next to the database. SQLite reads its write-ahead log up to the first damaged page,
 * and takes everything after it for what a power cut left unfinished: the runs in it would be lost silently. The next boot
 * of the store finds here that there were more (decision 0035).
 *
 * 1. It is written after the commit that it reports was synced, and is never synced itself: after a power cut it says less
 *    than the database holds, never more.
 * 2. What cannot be read of it says nothing; when it cannot be written it stays as it is, and says less.
 */
export class LastPosition {
  private timer: NodeJS.Timeout | undefined;
  private descriptor: number | null = null;
  private written = 0;

  constructor(
    private readonly file: string,
    /** The last position that is committed; null: it is not known at the moment. */
    private readonly committed: () => number | null,
  ) {}

  /** To be called after a commit: the position is written a moment later, for all commits until then. */
  committedSomething(): void {
    this.timer ??= setTimeout(() => this.write(), WRITE_AFTER_MS);
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.descriptor !== null) closeSync(this.descriptor);
    this.descriptor = null;
  }

  private write(): void {
    this.timer = undefined;
    try {
      const position = this.committed();
      if (position === null || position === this.written) return;
      this.descriptor ??= openSync(this.file, 'w', 0o600);
      writeSync(this.descriptor, lineOf(position), 0);
      this.written = position;
    } catch {
      // A disk in trouble: the commits themselves meet it and report it.
    }
  }
}

export function lastPositionEver(connection: Connection): number {
  return numberOf(connection.statement(LAST_EVER).get() ?? {}, 'position');
}

/**
 * Throws a `StoreError` when the database holds less than its last owner committed. It only reads, so that a damaged log
 * stays as it is for a rescue of what is in it. A database that cannot be read is refused elsewhere.
 */
export function refuseLostEntries(runsFile: string, positionFile: string): void {
  const recorded = readPosition(positionFile);
  const found = recorded === null ? null : positionIn(runsFile);
  if (recorded === null || found === null || found >= recorded) return;
  throw new StoreError(
    `The end of the log of all runs is lost: it had ${recorded} entries, and ${found} of them can be read. runs.db-wal in the ` +
      'data folder was damaged or removed, or runs.db is an older copy. Restore the folder from a backup; or, to go on ' +
      'with what is left, delete last-position.txt in it',
  );
}

function readPosition(file: string): number | null {
  try {
    const [, digits = '', checksum] = LINE.exec(readFileSync(file, 'latin1')) ?? [];
    return checksumOf(digits) === checksum ? Number(digits) : null;
  } catch {
    return null;
  }
}

function positionIn(runsFile: string): number | null {
  let connection: Connection | null = null;
  try {
    connection = new Connection(runsFile, 'read');
    return lastPositionEver(connection);
  } catch {
    return null;
  } finally {
    connection?.close();
  }
}

function lineOf(position: number): string {
  const digits = String(position).padStart(DIGITS, '0');
  return `${digits} ${checksumOf(digits)}\n`;
}

function checksumOf(digits: string): string {
  return crc32(digits).toString(16).padStart(8, '0');
}
