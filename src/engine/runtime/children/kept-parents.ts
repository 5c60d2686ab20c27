import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';

/** A parent of which nothing is heard for so long may leave memory. */
const KEPT_MS = 1_000;
const MOST_KEPT = 100;

interface Kept {
  readonly run: LiveRun;
  cancelTimer: CancelTimer;
}

/**
 * Parents that were just told of a child, or began one, stay in memory for a moment: a thousand children that end one
 * after another would else have their parent's log read a thousand times.
 */
export class KeptParents {
  /** The one that was used last stands last. */
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly live: Pick<LiveRuns, 'withRun' | 'end'>,
    private readonly clock: Clock,
  ) {}

  /** Lends the parent to `use`; null when it does not exist. */
  withParent<T>(runId: string, use: (run: LiveRun) => Promise<T>): Promise<T | null> {
    return this.live.withRun(runId, (run) => {
      if (run.isOurs) this.keep(run);
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
      this.letGo(runId);
      run.leases++;
    }
    const cancelTimer = this.clock.schedule(this.clock.now() + KEPT_MS, () => this.letGo(runId));
    this.kept.set(runId, { run, cancelTimer });
    if (this.kept.size <= MOST_KEPT) return;
    const [oldest] = this.kept.keys();
    if (oldest !== undefined) this.letGo(oldest);
  }

  private letGo(runId: string): void {
    const known = this.kept.get(runId);
    if (known === undefined) return;
    known.cancelTimer();
    this.kept.delete(runId);
    this.live.end(known.run);
  }
}
