import { messageOf } from '../../../errors/flowgate-error.js';
import { withDue, withoutEarliest, type DueHeap } from '../../core/state/due-heap.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { LaneSet, RunRow, RunStore } from '../../ports/run-store.js';
import type { EngineLogger } from '../../ports/logger.js';

/** Due times within this much of now are in memory; those beyond it are in the store alone. */
const HORIZON_MS = 30_000;
/** A process that is alone with its store knows what comes next, and looks no sooner; at the latest after so long. */
const LONGEST_REST_MS = 6 * 3_600_000;
/** So long before what comes next. */
const LEAD_MS = 5_000;
const PAGE = 500;
/** A look into the store takes over no more than this; the horizon then ends where it ended. */
const MAX_PER_LOOK = 20_000;
/** Runs that are loaded at the same time when many fall due in one instant. */
const WOKEN_AT_ONCE = 64;

/** No id sorts behind it. */
const LAST_RUN_ID = '\uffff';

type Place = NonNullable<Parameters<RunStore['listDue']>[0]['after']>;

export interface DueRunsOptions {
  readonly store: Pick<RunStore, 'listDue'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** The lanes of this process; null: all. */
  readonly lanes: () => LaneSet | null;
  /** Nobody else appends to the store: what is due changes only by what this process says. */
  readonly isAlone: boolean;
  /** Never rejects. */
  readonly wake: (runId: string) => Promise<void>;
}

/**
 * Wakes runs when their time has come: retries, deadlines, timers of all runs in one heap, with one timer.
 *
 * 1. A run of which nothing is due within the horizon takes no memory here; each look into the store, at the end of
 *    the horizon, finds those whose time comes within the next one. What a look could not read is read by the next. Who is
 *    alone with the store looks when the next of them is about to fall due: runs that wait a week wake nobody.
 * 2. A due time that was replaced or forgotten never fires: only what `times` says counts, the heap may lag behind.
 * 3. What a run says of itself is newer than what a page says of it, which was read before.
 * 4. A run that is ripe waits to be woken once, however often it is found due meanwhile.
 */
export class DueRuns {
  private readonly times = new Map<string, number>();
  private heap: DueHeap<string> | null = null;
  private horizon = 0;
  /** The earliest due time beyond the horizon, as far as anybody said. */
  private beyond = Infinity;
  /** When the store is looked into again. */
  private lookAt = 0;
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
      if (at !== null && at < this.beyond) this.comesNext(at);
      return;
    }
    if (this.times.get(runId) === at) return;
    this.times.set(runId, at);
    this.heap = withDue(this.heap, at, runId);
    if (at < this.timerAt) this.arm();
  }

  /** Something beyond the horizon is due sooner than what was known of. */
  private comesNext(at: number): void {
    this.beyond = at;
    if (this.isLooking || at - LEAD_MS >= this.lookAt) return;
    this.lookAt = Math.max(this.horizon, at - LEAD_MS);
    this.arm();
  }

  /** How many due times are in memory. */
  get size(): number {
    return this.times.size;
  }

  private arm(): void {
    this.cancelTimer();
    if (this.isStopped) return;
    const { clock } = this.options;
    this.timerAt = Math.min(this.heap?.dueAt ?? Infinity, this.lookAt);
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
    if (this.lookAt <= now) void this.readAhead();
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
    this.horizon = this.lookAt = until;
    this.beyond = Infinity;
    this.arm();
    try {
      const readTo = await this.readPages(until);
      this.horizon = Math.min(this.horizon, readTo);
      this.lookAt = readTo === until ? await this.nextLook(until) : this.horizon;
    } catch (error) {
      logger.warn('The runs that are due could not be read; the next look tries again', {
        error: messageOf(error),
      });
      this.horizon = Math.min(this.horizon, clock.now() + HORIZON_MS / 6);
      this.lookAt = this.horizon;
    }
    this.isLooking = false;
    this.told.clear();
    if (this.lookAgain) {
      this.lookAgain = false;
      this.readFrom = null;
      this.horizon = this.lookAt = 0;
    }
    this.arm();
  }

  /** When the first run beyond the horizon is about to fall due; what others may append is looked for at its end. */
  private async nextLook(until: number): Promise<number> {
    const { store, lanes, isAlone } = this.options;
    if (!isAlone || this.isStopped) return until;
    const before = until + LONGEST_REST_MS;
    const after = { wakeAt: until, runId: LAST_RUN_ID };
    const [first] = await store.listDue({ lanes: lanes(), before, after, limit: 1 });
    const next = Math.min(this.beyond, first?.wakeAt ?? Infinity);
    return Math.max(until, Math.min(before, next - LEAD_MS));
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
