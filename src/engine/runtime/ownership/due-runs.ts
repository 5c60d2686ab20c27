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

type Place = NonNullable<Parameters<RunStore['listDue']>[0]['after']>;

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
 * 3. What a run says of itself is newer than what a page says of it, which was read before.
 * 4. A run that is ripe waits to be woken once, however often it is found due meanwhile.
 */
export class DueRuns {
  private readonly times = new Map<string, number>();
  private heap: DueHeap<string> | null = null;
  private horizon = 0;
  private timerAt = Infinity;
  private cancelTimer: CancelTimer = () => undefined;
  private isLooking = false;
  private lookAgain = false;
  /** Where the last look came to its bound before it came to the end. */
  private readFrom: Place | null = null;
  /** Runs that said something while pages are read. */
  private readonly told = new Set<string>();
  private isStopped = false;
  /** In the order in which they fell due. */
  private readonly ripe = new Set<string>();
  private waking = 0;

  constructor(private readonly options: DueRunsOptions) {}

  /** Begins to look, or looks at once: lanes were acquired. Nothing once it was stopped. */
  look(): void {
    if (!this.isStopped) void this.readAhead();
  }

  stop(): void {
    this.isStopped = true;
    this.cancelTimer();
    this.times.clear();
    this.ripe.clear();
    this.told.clear();
    this.heap = null;
  }

  /** When the run has to be woken (epoch ms); null: never. Replaces what was said before. */
  set(runId: string, at: number | null): void {
    if (this.isLooking) this.told.add(runId);
    this.take(runId, at);
  }

  private take(runId: string, at: number | null): void {
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
      this.ripe.add(id);
    }
    this.wakeNext();
    if (this.horizon <= now) void this.readAhead();
    else this.arm();
  }

  private wakeNext(): void {
    for (const runId of this.ripe) {
      if (this.waking >= WOKEN_AT_ONCE) return;
      this.ripe.delete(runId);
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
    this.told.clear();
    if (this.lookAgain) {
      this.lookAgain = false;
      this.readFrom = null;
      this.horizon = 0;
    }
    this.arm();
  }

  private async readPages(until: number): Promise<number> {
    const { store, lanes } = this.options;
    let after = this.readFrom;
    this.readFrom = null;
    for (let taken = 0; taken < MAX_PER_LOOK;) {
      const rows: readonly RunRow[] = await store.listDue({
        lanes: lanes(),
        before: until,
        after,
        limit: PAGE,
      });
      if (this.isStopped) return until;
      for (const { runId, wakeAt } of rows) {
        if (!this.told.has(runId) && !this.ripe.has(runId)) this.take(runId, wakeAt);
      }
      const last = rows.at(-1);
      if (last === undefined || last.wakeAt === null || rows.length < PAGE) return until;
      after = { wakeAt: last.wakeAt, runId: last.runId };
      taken += rows.length;
    }
    // Of what is overdue the next look reads the rest: from the start it would find the same again.
    if (after !== null && after.wakeAt <= this.options.clock.now()) this.readFrom = after;
    return after?.wakeAt ?? until;
  }
}
