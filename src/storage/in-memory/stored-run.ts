import type { RunEvent } from '../../engine/core/log/event.js';
import type { AppendRequest, LoadedRun, RunRow, StoredState } from '../../engine/ports/run-store.js';

/** Older stored states only help rewinds, which can also fold the log. */
const KEPT_STATES = 3;

/** One run's log: the arrays of its appends as they came, never copied and never changed. */
export class StoredRun {
  row: RunRow;
  lastSeq = 0;
  /** Log entries of a forgotten run are skipped and dropped later. */
  isForgotten = false;
  /** Scope and key of the idempotency records that stand for this run. */
  readonly idempotencyKeys: string[] = [];
  private readonly appends: (readonly RunEvent[])[] = [];
  private states: readonly StoredState[] = [];

  constructor(row: RunRow) {
    this.row = row;
  }

  get appendCount(): number {
    return this.appends.length;
  }

  append({ events, row, storedState }: AppendRequest): void {
    this.row = row;
    this.lastSeq += events.length;
    this.appends.push(events);
    if (storedState !== null) this.states = [...this.states, storedState].slice(-KEPT_STATES);
  }

  load(atSeq: number | null): LoadedRun {
    const until = Math.min(atSeq ?? this.lastSeq, this.lastSeq);
    const storedState = this.states.findLast(({ seq }) => seq <= until) ?? null;
    const after = storedState?.seq ?? 0;
    return { row: this.row, storedState, events: this.eventsAfter(after, until - after) };
  }

  eventsAfter(afterSeq: number, limit: number): readonly RunEvent[] {
    const found: RunEvent[] = [];
    for (let index = this.firstAppendAfter(afterSeq); index < this.appends.length; index += 1) {
      for (const event of this.appends[index] ?? []) {
        if (found.length >= limit) return found;
        if (event.seq > afterSeq) found.push(event);
      }
    }
    return found;
  }

  private firstAppendAfter(seq: number): number {
    let low = 0;
    let high = this.appends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.appends[middle]?.at(-1)?.seq ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
