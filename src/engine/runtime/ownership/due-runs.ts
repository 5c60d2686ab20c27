import { messageOf } from '../../../errors/flowgate-error.js';
import { withDue, withoutEarliest, type DueHeap } from '../../core/state/due-heap.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { LaneSet, RunRow, RunStore } from '../../ports/run-store.js';
import type { EngineLogger } from '../../ports/logger.js';

/** Due times within this much of now are in memory; those beyond it are in the store alone. */
const HORIZON_MS = 30_000;
const PAGE = 500;
/** A look into the store takes over no more than this; the horizon then ends where it ended. */
const MAX_PER_LOOK = 20_000;
/** Runs that are loaded at the same time when many fall due in one instant. */
const WOKEN_AT_ONCE = 64;

export interface DueRunsOptions {
  readonly store: Pick<RunStore, 'listDue'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** The lanes of this process; null: all. */
  readonly lanes: () => LaneSet | null;
  /** Never rejects. */
  readonly wake: (runId: string) => Promise<void>;
}

/**
 * Wakes runs when their time has come: retries, deadlines, timers of all runs in one heap, with one timer.
 *
 * 1. A run of which nothing is due within the horizon takes no memory here; each look into the store, at the end of
 *    the horizon, finds those whose time comes within the next one. What a look could not read is read by the next.
 * 2. A due time that was replaced or forgotten never fires: only what `times` says counts, the heap may lag behind.
 */
export class DueRuns {
  private readonly times = new Map<string, number>();
  private heap: DueHeap<string> | null = null;
  private horizon = 0;
  private timerAt = Infinity;
  private cancelTimer: CancelTimer = () => undefined;
  private isLooking = false;
  private lookAgain = false;
  private isStopped = true;
  private readonly ripe: string[] = [];
  private waking = 0;

  constructor(private readonly options: DueRunsOptions) {}

  /** Begins to look, or looks at once: lanes were acquired. */
  look(): void {
    this.isStopped = false;
    void this.readAhead();
  }

  stop(): void {
    this.isStopped = true;
    this.cancelTimer();
    this.times.clear();
    this.ripe.length = 0;
    this.heap = null;
  }

  /** When the run has to be woken (epoch ms); null: never. Replaces what was said before. */
  set(runId: string, at: number | null): void {
    if (at === null || at > this.horizon) {
      this.times.delete(runId);
      return;
    }
    if (this.times.get(runId) === at) return;
    this.times.set(runId, at);
    this.heap = withDue(this.heap, at, runId);
    if (at < this.timerAt) this.arm();
  }

  /** How many due times are in memory. */
  get size(): number {
    return this.times.size;
  }

  private arm(): void {
    this.cancelTimer();
    if (this.isStopped) return;
    const { clock } = this.options;
    this.timerAt = Math.min(this.heap?.dueAt ?? Infinity, this.horizon);
    this.cancelTimer = clock.schedule(Math.max(this.timerAt, clock.now()), () => this.fire());
  }

  private fire(): void {
    if (this.isStopped) return;
    const now = this.options.clock.now();
    this.timerAt = Infinity;
    while (this.heap !== null && this.heap.dueAt <= now) {
      const { dueAt, id } = this.heap;
      this.heap = withoutEarliest(this.heap);
      if (this.times.get(id) !== dueAt) continue;
      this.times.delete(id);
      this.ripe.push(id);
    }
    this.wakeNext();
    if (this.horizon <= now) void this.readAhead();
    else this.arm();
  }

  private wakeNext(): void {
    while (this.waking < WOKEN_AT_ONCE) {
      const runId = this.ripe.shift();
      if (runId === undefined) return;
      this.waking++;
      void this.options.wake(runId).finally(() => {
        this.waking--;
        this.wakeNext();
      });
    }
  }

  /** Takes over what falls due within the next horizon, then arms the timer for the first of it. */
  private async readAhead(): Promise<void> {
    if (this.isLooking) {
      this.lookAgain = true;
      return;
    }
    this.isLooking = true;
    const { clock, logger } = this.options;
    const until = clock.now() + HORIZON_MS;
    // What is said while the pages are read must not be lost between them.
    this.horizon = until;
    this.arm();
    try {
      const readTo = await this.readPages(until);
      this.horizon = Math.min(this.horizon, readTo);
    } catch (error) {
      logger.warn('The runs that are due could not be read; the next look tries again', {
        error: messageOf(error),
      });
      this.horizon = Math.min(this.horizon, clock.now() + HORIZON_MS / 6);
    }
    this.isLooking = false;
    if (this.lookAgain) {
      this.lookAgain = false;
      this.horizon = 0;
    }
    this.arm();
  }

  private async readPages(until: number): Promise<number> {
    const { store, lanes } = this.options;
    let after: { readonly wakeAt: number; readonly runId: string } | null = null;
    for (let taken = 0; taken < MAX_PER_LOOK;) {
      const rows: readonly RunRow[] = await store.listDue({
        lanes: lanes(),
        before: until,
        after,
        limit: PAGE,
      });
      if (this.isStopped) return until;
      for (const { runId, wakeAt } of rows) this.set(runId, wakeAt);
      const last = rows.at(-1);
      if (last === undefined || last.wakeAt === null || rows.length < PAGE) return until;
      after = { wakeAt: last.wakeAt, runId: last.runId };
      taken += rows.length;
    }
    return after?.wakeAt ?? until;
  }
}
