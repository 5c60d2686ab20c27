import type { StoredRun } from './stored-run.js';

export interface EndedRunsOptions {
  /** Beyond so many the oldest go once every follower has read them; beyond twice as many they go in any case. */
  readonly maxRuns: number;
  /** The slowest follower's place; null: nobody follows. */
  readonly slowestCursor: () => number | null;
  readonly forget: (run: StoredRun) => void;
}

/**
 * The runs that have ended, in the order in which they did, and the bound on their number. Those that forks were made of
 * are not among them: they stay as long as those do.
 */
export class EndedRuns {
  private readonly runs = new Set<StoredRun>();
  /** Stays where it is between calls: from the front it would pass over all that was deleted before. */
  private readonly fromTheOldest = this.runs.values();
  /** The oldest, taken from the iterator and still there. */
  private oldest: StoredRun | null = null;

  constructor(private readonly options: EndedRunsOptions) {}

  /** A run that is there already keeps its place. */
  add(run: StoredRun): void {
    this.runs.add(run);
    this.evict();
  }

  delete(run: StoredRun): void {
    this.runs.delete(run);
    if (this.oldest === run) this.oldest = null;
  }

  /** Those that ended before the instant and that everyone has read, oldest end first. */
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

  /** Lets go what is too many. Each run goes once, so this costs no append more than another in the long run. */
  evict(): void {
    const { maxRuns, slowestCursor, forget } = this.options;
    if (this.runs.size <= maxRuns) return;
    const cursor = slowestCursor();
    while (this.runs.size > maxRuns) {
      this.oldest ??= this.fromTheOldest.next().value ?? null;
      if (this.oldest === null) return;
      if (!isRead(this.oldest, cursor) && this.runs.size <= 2 * maxRuns) return;
      forget(this.oldest);
    }
  }
}

/** Its family has heard of it, too. */
function isRead({ lastPosition, familyEntries }: StoredRun, throughPosition: number | null): boolean {
  return familyEntries === 0 && (throughPosition === null || lastPosition <= throughPosition);
}

function endedAtOf({ row }: StoredRun): number {
  return row.endedAt ?? Infinity;
}
