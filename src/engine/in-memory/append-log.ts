import type { StoredEvent } from '../ports/store/append.js';
import type { CommitLog, LogEntry } from '../ports/store/commit-log.js';
import type { StoredRun } from './stored-run.js';

interface Entry {
  readonly position: number;
  readonly run: StoredRun;
  /** Null: a tombstone. */
  readonly events: readonly StoredEvent[] | null;
}

type Change = Awaited<ReturnType<CommitLog['readChanges']>>[number];

interface Tombstone extends Entry {
  readonly events: null;
}

/** Below this many entries, dropping those of forgotten runs is not worthwhile. */
const SMALL = 1_000;

/**
 * The appends of all runs and the tombstones of purged ones, in order. Removed entries stay until they are half of the log
 * and are then dropped together, so that neither an append nor forgetting a run moves the others.
 */
export class AppendLog {
  private entries: Entry[] = [];
  private position = 0;
  private gone = 0;
  /** The tombstones, oldest first; those up to `droppedThrough` are gone. */
  private tombstones: Tombstone[] = [];
  private droppedThrough = 0;

  /** Where tombstones are never dropped, the oldest go at twice this many, down to this many. */
  constructor(private readonly maxTombstones: number) {}

  push(run: StoredRun, events: readonly StoredEvent[]): void {
    this.position += 1;
    run.lastPosition = this.position;
    this.entries.push({ position: this.position, run, events });
  }

  /** Removes the run's appends and adds a tombstone at the end. */
  bury(run: StoredRun): void {
    run.isForgotten = true;
    this.position += 1;
    const tombstone: Tombstone = { position: this.position, run, events: null };
    this.entries.push(tombstone);
    this.tombstones.push(tombstone);
    this.removed(run.appendCount);
    run.dropEvents();
    if (this.tombstones.length <= 2 * this.maxTombstones) return;
    this.drop(this.tombstones[this.tombstones.length - this.maxTombstones - 1]?.position ?? 0);
  }

  /** Forgets tombstones at or before the position. */
  drop(throughPosition: number): void {
    if (throughPosition <= this.droppedThrough) return;
    this.droppedThrough = Math.min(throughPosition, this.position);
    const left = this.tombstones.filter(({ position }) => position > throughPosition);
    const dropped = this.tombstones.length - left.length;
    this.tombstones = left;
    this.removed(dropped);
  }

  after(position: number, limit: number): readonly LogEntry[] {
    const found: LogEntry[] = [];
    for (let index = this.indexAfter(position); found.length < limit; index += 1) {
      const entry = this.entries[index];
      if (entry === undefined) break;
      if (this.isThere(entry)) found.push(logEntry(entry));
    }
    return found;
  }

  /** As `after`, without the events. */
  changesAfter(position: number, limit: number): readonly Change[] {
    return this.after(position, limit).map(({ position: at, runId, kind }) => ({
      position: at,
      runId,
      isPurged: kind === 'purged',
    }));
  }

  /** How many entries there are after the position, counted up to `atMost`. */
  countAfter(position: number, atMost: number): number {
    let count = 0;
    for (let index = this.indexAfter(position); count < atMost; index += 1) {
      const entry = this.entries[index];
      if (entry === undefined) break;
      if (this.isThere(entry)) count += 1;
    }
    return count;
  }

  lastPosition(): number {
    return this.entries.findLast((entry) => this.isThere(entry))?.position ?? 0;
  }

  private isThere({ position, run, events }: Entry): boolean {
    return events === null ? position > this.droppedThrough : !run.isForgotten;
  }

  private removed(count: number): void {
    this.gone += count;
    if (this.entries.length < SMALL || this.gone < this.entries.length / 2) return;
    this.entries = this.entries.filter((entry) => this.isThere(entry));
    this.gone = 0;
  }

  private indexAfter(position: number): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.entries[middle]?.position ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function logEntry({ position, run, events }: Entry): LogEntry {
  const { runId, namespace, workflowId, definitionHash, origin } = run.row;
  const about = { position, runId, namespace, workflowId };
  if (events === null) return { kind: 'purged', ...about };
  const imported = origin === 'import' ? ({ isImport: true } as const) : {};
  return { kind: 'appended', ...about, definitionHash, ...imported, events };
}
