import type { StoredRun } from './stored-run.js';

interface Age {
  readonly createdAt: number;
  readonly runId: string;
}

/** All runs, oldest first by (createdAt, runId), so that a page of a list is found without sorting. */
export class RunsByAge {
  private readonly runs: StoredRun[] = [];

  /** A new run is nearly always the newest, and then this is a push. */
  add(run: StoredRun): void {
    this.runs.splice(this.indexOf(run.row), 0, run);
  }

  remove(run: StoredRun): void {
    const index = this.indexOf(run.row);
    if (this.runs[index] === run) this.runs.splice(index, 1);
  }

  /** Newest first, those older than `before`. */
  *olderThan(before: Age | null): Iterable<StoredRun> {
    for (
      let index = (before === null ? this.runs.length : this.indexOf(before)) - 1;
      index >= 0;
      index -= 1
    ) {
      const run = this.runs[index];
      if (run !== undefined) yield run;
    }
  }

  /** The index of the first run that is not older. */
  private indexOf(age: Age): number {
    const newest = this.runs.at(-1);
    if (newest === undefined || isOlder(newest.row, age)) return this.runs.length;
    let low = 0;
    let high = this.runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const run = this.runs[middle];
      if (run !== undefined && isOlder(run.row, age)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isOlder(a: Age, b: Age): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.runId < b.runId);
}
