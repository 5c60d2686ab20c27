import type { RunIndex } from '../../ports/store/run-index.js';
import type { ListedRun } from '../../ports/store/run-row.js';

/** At most so many reads are cached: many watchers look at the same change at the same time. */
const MAX_REMEMBERED = 256;

interface Read {
  readonly tick: number;
  readonly listed: Promise<ListedRun | null>;
}

/**
 * Caches the current state of runs, which is read once for all callers at about the same time. A tick names a moment: what
 * was read at that tick or later shows everything that was durable by then.
 */
export class ReadCache {
  private last = 0;
  private readonly reads = new Map<string, Read>();

  constructor(private readonly store: Pick<RunIndex, 'readListed'>) {}

  /** A tick that names the present moment. */
  tick(): number {
    this.last += 1;
    return this.last;
  }

  /** The run as it was at `since` or later; null: there is no such run. */
  read(runId: string, since: number): Promise<ListedRun | null> {
    const known = this.reads.get(runId);
    if (known !== undefined && known.tick >= since) return known.listed;
    const read = { tick: this.tick(), listed: this.store.readListed({ runId }) };
    // A failure is that of this read alone; the next one tries again.
    read.listed.catch(() => {
      if (this.reads.get(runId) === read) this.reads.delete(runId);
    });
    this.reads.delete(runId);
    this.reads.set(runId, read);
    for (const oldest of this.reads.keys()) {
      if (this.reads.size <= MAX_REMEMBERED) break;
      this.reads.delete(oldest);
    }
    return read.listed;
  }

  forget(): void {
    this.reads.clear();
  }
}
