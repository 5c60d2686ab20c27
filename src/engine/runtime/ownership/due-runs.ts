import { messageOf } from '../../../errors/flowgate-error.js';
import { withDue, withoutEarliest, type DueHeap } from '../../core/state/collections/due-heap.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { RunIndex, ShardSet } from '../../ports/store/run-index.js';
import type { RunRow } from '../../ports/store/run-row.js';
import type { EngineLogger } from '../../ports/logger.js';

/** Due times within this time from now are in memory; later ones are only in the store. */
const HORIZON_MS = 30_000;
/** The longest time between two looks of a process that is alone with its store, and knows what comes next. */
const LONGEST_SLEEP_MS = 6 * 3_600_000;
/** How long before the next due time such a process looks. */
const LEAD_MS = 5_000;
const PAGE = 500;
/** The most that one look reads; the horizon then ends where the look did. */
const MAX_PER_LOOK = 20_000;
/** How many runs are loaded concurrently when many are due at one instant. */
const WOKEN_AT_ONCE = 64;

/** No id sorts after it. */
const LAST_RUN_ID = '\uffff';

type DueCursor = NonNullable<Parameters<RunIndex['listDue']>[0]['after']>;

export interface DueRunsOptions {
  readonly store: Pick<RunIndex, 'listDue'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** The shards of this process; null: all. */
  readonly shards: () => ShardSet | null;
  /** No other process appends to the store: only this process changes what is due. */
  readonly isAlone: boolean;
  /** Never rejects. */
  readonly wake: (runId: string) => Promise<void>;
}

/**
 * Wakes runs when they are due: retries, deadlines and timers of all runs are in one heap, with one timer.
 *
 * 1. A run with nothing due within the horizon takes no memory here; each look into the store, at the end of the horizon,
 *    finds those that are due within the next one. What a look could not read is read by the next. A process that is alone
 *    with the store only looks when the next of them is due soon: runs that wait a week cause no looks.
 * 2. A due time that was replaced or forgotten never fires: `times` decides, and the heap may be out of date.
 * 3. What a run sets is newer than what a page says of it, which was read before.
 * 4. A run in `due` is woken once, however often it is found due in the meantime.
 */
export class DueRuns {
  private readonly times = new Map<string, number>();
  private heap: DueHeap<string> | null = null;
  private horizon = 0;
  /** The earliest due time beyond the horizon that was set here. */
  private beyond = Infinity;
  /** When the next look into the store is. */
  private lookAt = 0;
  private timerAt = Infinity;
  private cancelTimer: CancelTimer = () => undefined;
  private isLooking = false;
  private lookAgain = false;
  /** Where the last look stopped at its limit, before it came to the end. */
  private readFrom: DueCursor | null = null;
  /** Runs whose due time was set while pages are read. */
  private readonly changedDuringLook = new Set<string>();
  private isStopped = false;
  /** Runs that are due and not woken yet, in the order in which they became due. */
  private readonly due = new Set<string>();
  private waking = 0;

  constructor(private readonly options: DueRunsOptions) {}

  /** Begins to look, or looks at once because shards were acquired. Does nothing after `stop`. */
  look(): void {
    if (!this.isStopped) void this.readAhead();
  }

  stop(): void {
    this.isStopped = true;
    this.cancelTimer();
    this.times.clear();
    this.due.clear();
    this.changedDuringLook.clear();
    this.heap = null;
  }

  /** When the run has to be woken (epoch ms); null: never. Replaces the last call. */
  set(runId: string, at: number | null): void {
    if (this.isLooking) this.changedDuringLook.add(runId);
    this.take(runId, at);
  }

  /** These runs are another process's now. */
  forget(isForeign: (runId: string) => boolean): void {
    for (const runId of [...this.times.keys(), ...this.due]) {
      if (!isForeign(runId)) continue;
      this.set(runId, null);
      this.due.delete(runId);
    }
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

  /** A due time beyond the horizon is earlier than those known so far. */
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
      this.due.add(id);
    }
    this.wakeNext();
    if (this.lookAt <= now) void this.readAhead();
    else this.arm();
  }

  private wakeNext(): void {
    for (const runId of this.due) {
      if (this.waking >= WOKEN_AT_ONCE) return;
      this.due.delete(runId);
      this.waking++;
      void this.options.wake(runId).finally(() => {
        this.waking--;
        this.wakeNext();
      });
    }
  }

  /** Reads what is due within the next horizon, then arms the timer for the first of it. */
  private async readAhead(): Promise<void> {
    if (this.isLooking) {
      this.lookAgain = true;
      return;
    }
    this.isLooking = true;
    const { clock, logger } = this.options;
    const until = clock.now() + HORIZON_MS;
    // Due times that are set while the pages are read must not be lost.
    this.horizon = this.lookAt = until;
    this.beyond = Infinity;
    this.arm();
    try {
      const readTo = await this.readPages(until);
      const first = readTo === until ? await this.firstBeyond(until) : null;
      // Nothing may be set between here and the end of the look: `beyond` would be read too early.
      this.horizon = Math.min(this.horizon, readTo);
      this.lookAt = readTo === until ? this.nextLook(until, first) : this.horizon;
    } catch (error) {
      logger.warn('The runs that are due could not be read; the next look tries again', {
        error: messageOf(error),
      });
      this.horizon = Math.min(this.horizon, clock.now() + HORIZON_MS / 6);
      this.lookAt = this.horizon;
    }
    this.isLooking = false;
    this.changedDuringLook.clear();
    if (this.lookAgain) {
      this.lookAgain = false;
      this.readFrom = null;
      this.horizon = this.lookAt = 0;
    }
    this.arm();
  }

  /** When the first run beyond the horizon is due, as the store has it; null: none, or other processes may append. */
  private async firstBeyond(until: number): Promise<number | null> {
    const { store, shards, isAlone } = this.options;
    if (!isAlone || this.isStopped) return null;
    const after = { wakeAt: until, runId: LAST_RUN_ID };
    const before = until + LONGEST_SLEEP_MS;
    const [first] = await store.listDue({ lanes: shards(), before, after, limit: 1 });
    return first?.wakeAt ?? null;
  }

  /** Shortly before the first run beyond the horizon is due; the end of the horizon, if other processes may append. */
  private nextLook(until: number, first: number | null): number {
    if (!this.options.isAlone || this.isStopped) return until;
    const next = Math.min(this.beyond, first ?? Infinity);
    return Math.max(until, Math.min(until + LONGEST_SLEEP_MS, next - LEAD_MS));
  }

  private async readPages(until: number): Promise<number> {
    const { store, shards } = this.options;
    let after = this.readFrom;
    this.readFrom = null;
    for (let taken = 0; taken < MAX_PER_LOOK;) {
      const rows: readonly RunRow[] = await store.listDue({
        lanes: shards(),
        before: until,
        after,
        limit: PAGE,
      });
      if (this.isStopped) return until;
      for (const { runId, wakeAt } of rows) {
        if (!this.changedDuringLook.has(runId) && !this.due.has(runId)) this.take(runId, wakeAt);
      }
      const last = rows.at(-1);
      if (last === undefined || last.wakeAt === null || rows.length < PAGE) return until;
      after = { wakeAt: last.wakeAt, runId: last.runId };
      taken += rows.length;
    }
    // The next look reads the rest of what is overdue: from the start it would find the same runs again.
    if (after !== null && after.wakeAt <= this.options.clock.now()) this.readFrom = after;
    return after?.wakeAt ?? until;
  }
}
