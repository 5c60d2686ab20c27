import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { StoreError } from '../../../errors/service-errors.js';
import { faultOf, storeErrorOf } from '../connection/sqlite-fault.js';

/** The file is rewritten when it is longer than this and more than four times as long as the open marks. */
const MIN_CHARS_TO_COMPACT = 256 * 1024;

/**
 * The operations in progress in this process, in a file of the data folder: a line for each mark that is made (`+`) and one
 * when it is removed (`-`). They are written at once and never synced: the file must outlive the process, not the machine. A
 * mark is a text without line breaks.
 *
 * 1. Each `mark` is one write. After a fault the next one rewrites the file, so that no torn line stays inside.
 * 2. What the process before left is read when the store opens; `forget` and `startOver` replace it.
 */
export class UnsyncedMarks {
  private descriptor: number | null = null;
  private readonly open = new Set<string>();
  private openChars = 0;
  private writtenChars = 0;
  private fault: unknown = null;

  constructor(private readonly file: string) {}

  /** The marks that were made and not removed. Throws a `StoreError` when the file is there and cannot be read. */
  leftBehind(): ReadonlySet<string> {
    const left = new Set<string>();
    // Text after the last line break was left unfinished by a process that died.
    for (const line of this.read().split('\n').slice(0, -1)) {
      if (line.startsWith('+')) left.add(line.slice(1));
      else if (line.startsWith('-')) left.delete(line.slice(1));
    }
    return left;
  }

  /** Never throws: `verify` says what is wrong. */
  mark({ begun, ended }: { readonly begun: readonly string[]; readonly ended: readonly string[] }): void {
    let lines = '';
    for (const key of begun) {
      if (this.open.has(key)) continue;
      this.open.add(key);
      this.openChars += key.length;
      lines += `+${key}\n`;
    }
    for (const key of ended) {
      if (!this.open.delete(key)) continue;
      this.openChars -= key.length;
      lines += `-${key}\n`;
    }
    if (lines !== '') this.write(lines);
  }

  /** Replaces all marks of the file in one step: a process that dies here leaves the old ones or the new ones. */
  startOver(marks: readonly string[]): void {
    this.open.clear();
    this.openChars = 0;
    for (const mark of marks) {
      this.open.add(mark);
      this.openChars += mark.length;
    }
    this.release();
    this.write('');
  }

  /** Throws a `StoreError` while the file cannot be written. */
  verify(): void {
    if (this.fault !== null) this.write('');
    if (this.fault !== null) throw storeErrorOf(faultOf(this.fault), this.file);
  }

  /** To be called when nothing is in progress, or no process will read the marks. */
  forget(): void {
    this.release();
    this.open.clear();
    this.openChars = 0;
    rmSync(this.file, { force: true });
  }

  /** Leaves the file as it is. */
  release(): void {
    if (this.descriptor !== null) closeSync(this.descriptor);
    this.descriptor = null;
  }

  private write(lines: string): void {
    try {
      const isTooLong = this.writtenChars > Math.max(MIN_CHARS_TO_COMPACT, 4 * this.openChars);
      if (this.descriptor === null || isTooLong) this.writeAnew();
      else writeWhole(this.descriptor, lines);
      this.writtenChars += lines.length;
      this.fault = null;
    } catch (error) {
      this.fault = error;
      this.giveUp();
    }
  }

  private writeAnew(): void {
    this.release();
    const newFile = `${this.file}.new`;
    this.descriptor = openSync(newFile, 'w', 0o600);
    writeWhole(this.descriptor, [...this.open].map((key) => `+${key}\n`).join(''));
    renameSync(newFile, this.file);
    this.writtenChars = this.openChars;
  }

  private giveUp(): void {
    try {
      this.release();
    } catch {
      this.descriptor = null;
    }
  }

  private read(): string {
    try {
      return readFileSync(this.file, 'utf8');
    } catch (error) {
      if (isMissing(error)) return '';
      throw new StoreError(
        `${basename(this.file)} in the data folder cannot be read: give this user access to the folder and its files`,
        { cause: error },
      );
    }
  }
}

/** A disk that fills up may take only a part of the text. */
function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  if (writeSync(descriptor, bytes) < bytes.length) throw new Error('the disk took only a part');
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
