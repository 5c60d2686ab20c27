import type { RunEvent } from '../../engine/core/log/event.js';
import type { LogEntry } from '../../engine/ports/run-store.js';
import type { StoredRun } from './stored-run.js';

interface Append {
  readonly position: number;
  readonly run: StoredRun;
  readonly events: readonly RunEvent[];
}

/** Below this many entries it is not worth dropping those of forgotten runs. */
const SMALL = 1_000;

/**
 * The appends of all runs in order. Entries of forgotten runs stay until they are half of the log and then go
 * together, so that neither an append nor forgetting a run moves the others.
 */
export class AppendLog {
  private appends: Append[] = [];
  private position = 0;
  private forgotten = 0;

  push(run: StoredRun, events: readonly RunEvent[]): void {
    this.position += 1;
    this.appends.push({ position: this.position, run, events });
  }

  forget(run: StoredRun): void {
    run.isForgotten = true;
    this.forgotten += run.appendCount;
    if (this.appends.length < SMALL || this.forgotten < this.appends.length / 2) return;
    this.appends = this.appends.filter((append) => !append.run.isForgotten);
    this.forgotten = 0;
  }

  after(position: number, limit: number): readonly LogEntry[] {
    const entries: LogEntry[] = [];
    for (let index = this.indexAfter(position); entries.length < limit; index += 1) {
      const append = this.appends[index];
      if (append === undefined) break;
      if (append.run.isForgotten) continue;
      const { runId, workflowId } = append.run.row;
      entries.push({ position: append.position, runId, workflowId, events: append.events });
    }
    return entries;
  }

  private indexAfter(position: number): number {
    let low = 0;
    let high = this.appends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.appends[middle]?.position ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
