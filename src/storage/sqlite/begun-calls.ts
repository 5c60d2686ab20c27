import type { CallMark } from '../../engine/ports/run-store.js';
import { UnsyncedMarks } from './unsynced-marks.js';

const MARK = /^(\d+) (\d+) (.+)$/;

/** Which calls of units have begun and are not over: a mark has the execution, the attempt and the run. */
export class BegunCalls {
  private readonly marks: UnsyncedMarks;

  constructor(file: string) {
    this.marks = new UnsyncedMarks(file);
  }

  /** What was begun and is not over. Throws a `StoreError` when the file is there and cannot be read. */
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

  /** Every call is over, or nobody will ask. */
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
