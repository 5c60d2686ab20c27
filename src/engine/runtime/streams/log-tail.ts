import type { Clock } from '../../ports/clock.js';
import type { RunWatch } from '../../ports/run-watch.js';
import type { CommitLog, LogEntry } from '../../ports/store/commit-log.js';
import type { BackgroundWork } from '../../scheduling/background-work.js';
import type { Load } from '../../scheduling/load.js';
import { inSlices } from '../../scheduling/slice.js';
import { longWork } from '../../scheduling/yielder.js';
import { LogFollower } from '../followers/log-follower.js';
import type { EngineLogger } from '../logger.js';
import type { CursorLog, CursorPage } from '../log-cursor.js';
import { LogRing } from './log-ring.js';
import { notifiedEntries, type NotifiedEntry } from './notified-entry.js';
import { Waiters } from '../waiters.js';

const BATCH_ENTRIES = 150;
/** How many entries a reader gets at once. */
const PAGE_ENTRIES = 50;
/** So many readers are woken at once before other work may run. */
const NOTIFIED_AT_ONCE = 16;
/** How long to wait until the readers that were woken have taken what there is: the time counts as work. */
const TAKEN_WITHIN_MS = 500;

export interface LogTailOptions {
  readonly store: Pick<CommitLog, 'readAll' | 'lastPosition' | 'countAfter'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly load: Load;
  /** The background work of all streams. */
  readonly background: BackgroundWork;
  /** Tells of what other processes append; null: there are none, or nobody tells. */
  readonly watch: Pick<RunWatch, 'waitFor'> | null;
  /** How often the store is looked at, in ms, where nobody tells of other processes. Default: null, never. */
  readonly pollMs?: number | null;
  /** Whether those who stand in the log of an imported run are shown as claimed. Default false. */
  readonly tellsClaims?: boolean;
}

/**
 * The end of the store's log, read once for all cursors, and only while there are any. It gives way to load as every follower
 * does: under load, readers are notified later.
 */
export class LogTail implements CursorLog<NotifiedEntry> {
  private readonly follower: LogFollower;
  private readonly waiters = new Waiters();
  private ring = new LogRing(0);
  private position = 0;
  private readers = 0;
  private following: AbortController | null = null;

  constructor(private readonly options: LogTailOptions) {
    const { store, clock, logger, load, watch, pollMs = null } = options;
    this.follower = new LogFollower({
      name: 'streams',
      store: {
        readAll: (request) => store.readAll(request),
        countAfter: (request) => store.countAfter(request),
        // The cursor begins where the first reader joins, and is forgotten with the last one.
        readCursor: () => Promise.resolve(this.position),
        writeCursor: () => Promise.resolve(),
      },
      clock,
      logger,
      load,
      pollMs,
      watch,
      batchEntries: BATCH_ENTRIES,
      handle: (entries) => this.take(entries),
    });
  }

  /** Something was appended. Costs next to nothing while there are no readers. */
  wake(): void {
    if (this.following !== null) this.follower.wake();
  }

  /** Adds a reader, and resolves with the position from which it reads. Each `join` is followed by one `leave`. */
  async join(): Promise<number> {
    this.readers += 1;
    try {
      const last = await this.options.store.lastPosition();
      // The last of the other readers may have left in the meantime.
      if (this.following === null && this.readers > 0) this.begin(last);
      return last;
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  leave(): void {
    this.readers -= 1;
    if (this.readers > 0) return;
    this.following?.abort();
    this.following = null;
    this.ring = new LogRing(0);
  }

  read(position: number): CursorPage<NotifiedEntry> | Promise<CursorPage<NotifiedEntry>> {
    if (this.following !== null && this.ring.holdsAfter(position)) {
      return pageOf(this.ring.after(position, PAGE_ENTRIES), position);
    }
    const { background, store } = this.options;
    return background.run(async () => {
      // What was purged in the meantime is no longer in the store, and is skipped.
      const known = Math.max(position, this.position);
      const entries = await store.readAll({ afterPosition: position, limit: PAGE_ENTRIES });
      return pageOf(await inSlices(notifiedEntries(entries, this.options.tellsClaims ?? false)), known);
    });
  }

  wait(position: number, signal: AbortSignal): Promise<void> {
    return this.position > position ? Promise.resolve() : this.waiters.wait(signal);
  }

  /** The position up to which the log was read. */
  get end(): number {
    return this.position;
  }

  /** Whether what comes after the position has to be read from the store. */
  hasLost(position: number): boolean {
    return !this.ring.holdsAfter(position);
  }

  /** No reader is notified any more. */
  close(): void {
    this.following?.abort();
  }

  private begin(position: number): void {
    const following = new AbortController();
    this.following = following;
    this.position = position;
    this.ring = new LogRing(position);
    void this.follower.follow(following.signal);
  }

  private async take(entries: readonly LogEntry[]): Promise<void> {
    const { following } = this;
    const taken = await inSlices(notifiedEntries(entries, this.options.tellsClaims ?? false));
    if (following === null || this.following !== following) return;
    this.ring.add(taken);
    this.position = taken.at(-1)?.position ?? this.position;
    await this.notify();
  }

  /**
   * Wakes the readers that wait, some at a time, and waits until they come back for more: notifying a thousand of them is
   * most of the work, and must count as such. It does not wait for readers that do not take what there is.
   */
  private async notify(): Promise<void> {
    const waiting = this.waiters.now();
    for (let woken = 0; woken < waiting.length; woken += NOTIFIED_AT_ONCE) {
      for (const wake of waiting.slice(woken, woken + NOTIFIED_AT_ONCE)) wake();
      await longWork.next();
    }
    const end = performance.now() + TAKEN_WITHIN_MS;
    for (let back = -1; back < this.waiters.size && performance.now() < end;) {
      back = this.waiters.size;
      await longWork.next();
      await longWork.next();
    }
  }
}

function pageOf(entries: readonly NotifiedEntry[], position: number): CursorPage<NotifiedEntry> {
  const isLast = entries.length === 0;
  return { items: entries, position: entries.at(-1)?.position ?? position, isLast, end: null };
}
