import type { StoredRun } from './stored-run.js';

interface Age {
  readonly createdAt: number;
  readonly runId: string;
}

/** All runs, oldest first by (createdAt, runId), so that a page of a list is found without sorting. */
export class RunsByAge {
  private runs: StoredRun[] = [];
  private forgotten = 0;

  /** A new run is nearly always the newest, and then this is a push. */
  add(run: StoredRun): void {
    this.runs.splice(this.indexOf(run.row), 0, run);
  }

  /**
   * To be called once a run is marked as forgotten. Forgotten runs are removed together once they are half of the list, so
   * that no single one moves it.
   */
  forget(): void {
    this.forgotten += 1;
    if (this.forgotten < this.runs.length / 2) return;
    this.runs = this.runs.filter((run) => !run.isForgotten);
    this.forgotten = 0;
  }

  /** The runs that are older than `before`, newest first. */
  *olderThan(before: Age | null): Iterable<StoredRun> {
    for (
      let index = (before === null ? this.runs.length : this.indexOf(before)) - 1;
      index >= 0;
      index -= 1
    ) {
      const run = this.runs[index];
      if (run !== undefined && !run.isForgotten) yield run;
    }
  }

  /** The index of the first run that is not older; the search begins at the newest, where it nearly always is. */
  private indexOf(age: Age): number {
    let high = this.runs.length;
    let low = high - 1;
    for (let step = 1; low >= 0; step *= 2) {
      const run = this.runs[low];
      if (run !== undefined && isOlder(run.row, age)) break;
      high = low;
      low -= step;
    }
    low = Math.max(0, low);
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
