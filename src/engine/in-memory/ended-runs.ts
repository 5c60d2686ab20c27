import { fromTheOldest } from './from-the-oldest.js';
import type { StoredRun } from './stored-run.js';

export interface EndedRunsOptions {
  /** Beyond this many, the oldest are removed once every follower has read them; beyond twice as many, in any case. */
  readonly maxRuns: number;
  /** The slowest follower's cursor; null: there is no follower. */
  readonly slowestCursor: () => number | null;
  readonly forget: (run: StoredRun) => void;
}

/**
 * The runs that have ended, in the order in which they did, and the bound on their number. Runs that have forks are not
 * among them: they stay as long as their forks do.
 */
export class EndedRuns {
  private readonly runs = new Set<StoredRun>();
  private readonly fromTheOldest = fromTheOldest(this.runs);
  /** The oldest run, taken from there and not removed yet. */
  private oldest: StoredRun | null = null;

  constructor(private readonly options: EndedRunsOptions) {}

  /** A run that is there already keeps its position. */
  add(run: StoredRun): void {
    this.runs.add(run);
    this.evict();
  }

  delete(run: StoredRun): void {
    this.runs.delete(run);
    if (this.oldest === run) this.oldest = null;
  }

  /** The runs that ended before the instant and that every follower has read, oldest end first. */
  endedBefore(instant: number, throughPosition: number | null, limit: number): readonly StoredRun[] {
    const request = { endedBefore: instant, throughPosition };
    return [...this.runs]
      .filter((run) => this.mayGo(run, request))
      .sort((a, b) => endedAtOf(a) - endedAtOf(b) || (a.row.runId < b.row.runId ? -1 : 1))
      .slice(0, limit);
  }

  /** Whether it is one of those, and nothing keeps it. */
  mayGo(
    run: StoredRun,
    {
      endedBefore,
      throughPosition,
    }: { readonly endedBefore: number; readonly throughPosition: number | null },
  ): boolean {
    return this.runs.has(run) && endedAtOf(run) < endedBefore && isRead(run, throughPosition);
  }

  /** Removes runs beyond the bound. Each run is removed once, so that the cost of an append is constant in the long run. */
  evict(): void {
    const { maxRuns, slowestCursor, forget } = this.options;
    if (this.runs.size <= maxRuns) return this.fromTheOldest.stop();
    const cursor = slowestCursor();
    while (this.runs.size > maxRuns) {
      this.oldest ??= this.fromTheOldest.next() ?? null;
      if (this.oldest === null) return;
      if (!isRead(this.oldest, cursor) && this.runs.size <= 2 * maxRuns) return;
      forget(this.oldest);
    }
  }
}

/** Whether every follower has read the run, and its family as well. */
function isRead({ lastPosition, familyEntries }: StoredRun, throughPosition: number | null): boolean {
  return familyEntries === 0 && (throughPosition === null || lastPosition <= throughPosition);
}

function endedAtOf({ row }: StoredRun): number {
  return row.endedAt ?? Infinity;
}
