import type { CallMark } from '../../../engine/ports/store/crash-journal.js';
import { UnsyncedMarks } from './unsynced-marks.js';

const MARK = /^(\d+) (\d+) (.+)$/;

/** The calls of units that have begun and not ended; a mark has the execution, the attempt and the run. */
export class BegunCalls {
  private readonly marks: UnsyncedMarks;

  constructor(file: string) {
    this.marks = new UnsyncedMarks(file);
  }

  /**
   * The calls that the last process began and did not end. Throws a `StoreError` when the file is there and cannot be read.
   */
  leftBehind(): readonly CallMark[] {
    return [...this.marks.leftBehind()].flatMap((mark) => {
      const [, executionId, attempt, runId] = MARK.exec(mark) ?? [];
      if (runId === undefined) return [];
      return [{ runId, executionId: Number(executionId), attempt: Number(attempt) }];
    });
  }

  /** Never throws: `verify` says what is wrong. */
  mark({ begun, ended }: { readonly begun: readonly CallMark[]; readonly ended: readonly CallMark[] }): void {
    this.marks.mark({ begun: begun.map(textOf), ended: ended.map(textOf) });
  }

  /** Throws a `StoreError` while the file cannot be written. */
  verify(): void {
    this.marks.verify();
  }

  /** To be called when every call is over, or no process will read the marks. */
  forget(): void {
    this.marks.forget();
  }

  /** Leaves the file as it is. */
  release(): void {
    this.marks.release();
  }
}

function textOf({ runId, executionId, attempt }: CallMark): string {
  return `${executionId} ${attempt} ${runId}`;
}
