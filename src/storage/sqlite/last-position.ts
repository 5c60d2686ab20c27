import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { StoreError } from '../../errors/service-errors.js';
import { numberOf } from './connection/columns.js';
import { Connection } from './connection/connection.js';

/** Written at most so often: what it lacks, it only notices less of. */
const WRITE_AFTER_MS = 20;
const DIGITS = 16;
const LINE = /^(\d{16}) ([\da-f]{8})\n$/;

/** The last position that the log ever had, also when retention took that entry away. */
const LAST_EVER = "SELECT coalesce(max(seq), 0) AS position FROM sqlite_sequence WHERE name = 'log'";

/**
 * How far the log went, in a small file beside the database. SQLite reads its write-ahead log up to the first damaged
 * page, and takes everything after it for what a power cut left unfinished: the runs in it would be gone without a word.
 * The next opening finds here that there were more (decision 0035).
 *
 * 1. It is written after the commit that it tells of was synced, and is never synced itself: after a power cut it says
 *    less than the database holds, never more.
 * 2. What of it cannot be read says nothing; what cannot be written stays as it is, and says less.
 */
export class LastPosition {
  private timer: NodeJS.Timeout | undefined;
  private descriptor: number | null = null;
  private written = 0;

  constructor(
    private readonly file: string,
    /** The last position that is committed; null: nobody can say at the moment. */
    private readonly committed: () => number | null,
  ) {}

  /** Something was committed: it is written down a moment later, with what comes until then. */
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
      // A disk in trouble: the commits themselves meet it, and say so.
    }
  }
}

export function lastPositionEver(connection: Connection): number {
  return numberOf(connection.statement(LAST_EVER).get() ?? {}, 'position');
}

/**
 * Throws a `StoreError` when the database holds less than its last owner committed. It only reads, so that a damaged log
 * stays as it is for whoever wants to save what is in it. A database that cannot be read is for others to refuse.
 */
export function refuseLostEntries(runsFile: string, positionFile: string): void {
  const told = readPosition(positionFile);
  const found = told === null ? null : positionIn(runsFile);
  if (told === null || found === null || found >= told) return;
  throw new StoreError(
    `The end of the log of all runs is lost: it had ${told} entries, and ${found} of them can be read. runs.db-wal in the ` +
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
