import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';

/** How long a parent that is not used stays in memory. */
const KEPT_MS = 1_000;
const MOST_KEPT = 100;

interface Kept {
  readonly run: LiveRun;
  cancelTimer: CancelTimer;
}

/**
 * Keeps parents in memory for a moment after they began a child, or were notified of one: otherwise a thousand children that
 * end one after another would cause their parent's log to be read a thousand times.
 */
export class ParentCache {
  /** In order of use, the most recent last. */
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly live: Pick<LiveRuns, 'withRun' | 'end'>,
    private readonly clock: Clock,
  ) {}

  /** Checks the parent out for `use`; null when it does not exist. */
  withParent<T>(runId: string, use: (run: LiveRun) => Promise<T>): Promise<T | null> {
    return this.live.withRun(runId, (run) => {
      if (run.isOwned) this.keep(run);
      return use(run);
    });
  }

  private keep(run: LiveRun): void {
    const { runId } = run;
    const known = this.kept.get(runId);
    if (known?.run === run) {
      known.cancelTimer();
      this.kept.delete(runId);
    } else {
      this.release(runId);
      run.checkouts++;
    }
    const cancelTimer = this.clock.schedule(this.clock.now() + KEPT_MS, () => this.release(runId));
    this.kept.set(runId, { run, cancelTimer });
    if (this.kept.size <= MOST_KEPT) return;
    const [oldest] = this.kept.keys();
    if (oldest !== undefined) this.release(oldest);
  }

  private release(runId: string): void {
    const known = this.kept.get(runId);
    if (known === undefined) return;
    known.cancelTimer();
    this.kept.delete(runId);
    this.live.end(known.run);
  }
}
