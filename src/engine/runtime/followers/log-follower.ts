import { messageOf } from '../../../errors/flowgate-error.js';
import { sleep, waitAtMost, type Clock } from '../../ports/clock.js';
import type { RunWatch } from '../../ports/run-watch.js';
import type { CommitLog, LogEntry } from '../../ports/store/commit-log.js';
import { doublingMs } from '../doubling.js';
import type { EngineLogger } from '../logger.js';
import type { Load } from '../../scheduling/load.js';
import { Throttle } from '../../scheduling/throttle.js';

const RETRY = { firstMs: 1_000, longestMs: 60_000 };
/** How long someone waits at most until what is new is handled. */
const HURRY_MS = 100;
/** The lag is counted up to so many entries. */
const MOST_COUNTED = 1_000_000;

/** What a follower of all runs needs of the store. */
export type FollowedStore = FollowedLog<LogEntry>;

/** What a follower needs of the log that it follows. */
export interface FollowedLog<Entry> extends Pick<CommitLog, 'countAfter' | 'readCursor' | 'writeCursor'> {
  readAll(request: {
    readonly afterPosition: number;
    readonly limit: number;
    readonly types?: readonly string[] | undefined;
  }): Promise<readonly Entry[]>;
}

interface Positioned {
  readonly position: number;
}

export interface LogFollowerOptions<Entry extends Positioned = LogEntry> {
  /** Names its cursor in the store, permanently: another name begins at the start of the log. */
  readonly name: string;
  readonly store: FollowedLog<Entry>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly load: Load;
  /** How many entries are handled at once while there is little else to do; less than half of it under load. */
  readonly batchEntries: number;
  /** The events that it looks for: entries without one of these may be left out. Absent: it is given all. */
  readonly types?: readonly string[];
  /**
   * How long it sleeps at most before it looks whether another process appended, in ms. Null: `watch` tells of that, or this process
   * is alone with the store, and calls of `wake` suffice.
   */
  readonly pollMs: number | null;
  /** Wakes it for what other processes append, while it follows. Absent: nothing does. */
  readonly watch?: Pick<RunWatch, 'waitFor'> | null;
  /**
   * How long, in ms, new entries collect for one batch. Default: the 20 of `Throttle`. Long where a batch of few entries is dear;
   * whoever cannot wait for it calls `hurry`.
   */
  readonly collectMs?: number;
  /** Must tolerate being given entries again: a batch whose cursor was not stored comes once more. */
  readonly handle: (entries: readonly Entry[], signal: AbortSignal) => Promise<void>;
}

/**
 * Follows the log of all runs from a cursor in the store, off the hot path.
 *
 * 1. The cursor is written after its batch was handled, so nothing is left out; what is handled twice must not matter.
 * 2. A wake-up is never lost: one that comes while it works makes it look again before it sleeps.
 * 3. A failure is logged once, and once more when it is over; in between it tries again after 1 s, 2 s, up to 60 s.
 */
export class LogFollower<Entry extends Positioned = LogEntry> {
  private readonly throttle: Throttle;
  /** The position up to which entries were handled, known only while it follows in this process; null: the store has it. */
  private position: number | null = null;
  /** Grows when the follower starts over: a batch that is under way then leaves the cursor alone. */
  private epoch = 0;
  private startingOver: Promise<void> = Promise.resolve();
  private following: Promise<void> = Promise.resolve();
  private isWoken = false;
  private onWake: (() => void) | null = null;
  /** Waits for what other processes append. */
  private isListening = false;
  /** Ends the break in which entries collect; null: it takes none. */
  private collecting: AbortController | null = null;
  /** Whether it handles entries, or is about to. */
  private isAtWork = false;
  /** The next slice, for those who wait for it; null: nobody does. */
  private hurried: { readonly done: () => void; readonly bounded: Promise<void> } | null = null;

  constructor(private readonly options: LogFollowerOptions<Entry>) {
    const { clock, load, batchEntries, collectMs } = options;
    this.throttle = new Throttle(clock, load, batchEntries, collectMs);
  }

  get name(): string {
    return this.options.name;
  }

  /** Something was appended. Costs next to nothing: the work happens later. */
  wake(): void {
    this.isWoken = true;
    this.onWake?.();
  }

  /**
   * Has it handle what was appended up to now without waiting for more. Resolves when that is done, or cannot be done at once:
   * it gives way to load, is far behind, or follows in another process. Takes 100 ms at most.
   */
  async hurry(): Promise<void> {
    if (this.throttle.isResting || (this.collecting === null && !this.isAtWork)) return;
    this.hurried ??= this.nextSlice();
    const { bounded } = this.hurried;
    this.collecting?.abort();
    await bounded;
  }

  /** The work of its role: continues until the signal fires, then waits for the batch under way. Never rejects. */
  follow(signal: AbortSignal): Promise<void> {
    // A role that was lost and regained may begin again before its earlier work has ended.
    this.following = this.following.then(() => this.followUntil(signal));
    return this.following;
  }

  /** How many entries of the log it has not handled yet, in whichever process it follows; a million at most. */
  async lag(): Promise<number> {
    const { store, name } = this.options;
    const position = this.position ?? (await store.readCursor({ name }));
    return store.countAfter({ position, atMost: MOST_COUNTED });
  }

  /** Everything that the log still holds is handled again. */
  startOver(): Promise<void> {
    const { store, name } = this.options;
    this.epoch += 1;
    this.position = null;
    const begun = store.writeCursor({ name, position: 0 });
    this.startingOver = begun.catch(() => undefined);
    return begun.then(() => this.wake());
  }

  private async followUntil(signal: AbortSignal): Promise<void> {
    const { clock, logger, name } = this.options;
    let failures = 0;
    while (!signal.aborted) {
      try {
        this.listen(signal);
        const isAtEnd = await this.workSlice(signal);
        if (failures > 0) logger.warn(`The ${name} follows the log again`, { follower: name, failures });
        failures = 0;
        this.throttle.reached(isAtEnd);
        await this.takeBreak(isAtEnd, signal);
        if (isAtEnd) await this.nextWake(signal);
      } catch (error) {
        this.position = null;
        if (signal.aborted) break;
        failures += 1;
        if (failures === 1) this.sayThatItFailed(error);
        await sleep(clock, doublingMs(failures, RETRY), signal);
      }
    }
    this.position = null;
    this.isAtWork = false;
    this.release();
  }

  /** From before it looks at the log on, so that nothing that is appended after the look is missed. */
  private listen(signal: AbortSignal): void {
    const { watch = null } = this.options;
    if (watch === null || this.isListening) return;
    this.isListening = true;
    void watch.waitFor({ runId: null, afterSeq: 0, signal }).then(() => {
      this.isListening = false;
      this.wake();
    });
  }

  /** Handles batches for as long as the load allows. True: the end of the log was reached. */
  private async workSlice(signal: AbortSignal): Promise<boolean> {
    this.isWoken = false;
    this.isAtWork = true;
    const { hurried } = this;
    this.hurried = null;
    let isAtEnd = false;
    try {
      do {
        await yieldToEventLoop();
        isAtEnd = signal.aborted || (await this.batch(signal));
      } while (!isAtEnd && this.throttle.mayProceed);
      return isAtEnd;
    } finally {
      this.isAtWork = false;
      hurried?.done();
      if (!isAtEnd) this.release();
    }
  }

  private nextSlice(): NonNullable<typeof this.hurried> {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { done: resolve, bounded: waitAtMost(this.options.clock, HURRY_MS, promise) };
  }

  /** Nobody waits any longer: it is not done in a moment. */
  private release(): void {
    this.hurried?.done();
    this.hurried = null;
  }

  private async takeBreak(isAtEnd: boolean, signal: AbortSignal): Promise<void> {
    if (!isAtEnd) return this.throttle.takeBreak(signal);
    const collecting = new AbortController();
    const stop = (): void => collecting.abort();
    signal.addEventListener('abort', stop);
    this.collecting = collecting;
    if (this.hurried !== null || signal.aborted) stop();
    try {
      await this.throttle.takeBreak(signal, {
        signal: collecting.signal,
        restFollows: () => this.release(),
      });
    } finally {
      this.collecting = null;
      signal.removeEventListener('abort', stop);
    }
  }

  /** True: there was nothing left. */
  private async batch(signal: AbortSignal): Promise<boolean> {
    const { store, name } = this.options;
    await this.startingOver;
    const { epoch } = this;
    const after = this.position ?? (await store.readCursor({ name }));
    const position = await this.throttle.count(() => this.handleAfter(after, signal));
    if (position === null) return true;
    if (epoch !== this.epoch) return false;
    await store.writeCursor({ name, position });
    if (epoch === this.epoch) this.position = position;
    return false;
  }

  /** Resolves with the position of the last entry that it handled; null: there was none. */
  private async handleAfter(afterPosition: number, signal: AbortSignal): Promise<number | null> {
    const { store, handle, types } = this.options;
    const entries = await store.readAll({ afterPosition, limit: this.throttle.batch, types });
    const last = entries.at(-1);
    if (last === undefined || signal.aborted) return null;
    await handle(entries, signal);
    return last.position;
  }

  /** Resolves with the next call of `wake`, or when it is time to poll. */
  private nextWake(signal: AbortSignal): Promise<void> {
    if (this.isWoken || this.hurried !== null || signal.aborted) return Promise.resolve();
    const { clock, pollMs } = this.options;
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel?.();
        signal.removeEventListener('abort', wake);
        this.onWake = null;
        this.isAtWork = true;
        resolve();
      };
      const cancel = pollMs === null ? null : clock.schedule(clock.now() + pollMs, wake);
      signal.addEventListener('abort', wake);
      this.onWake = wake;
    });
  }

  private sayThatItFailed(error: unknown): void {
    const { logger, name } = this.options;
    logger.warn(`The ${name} cannot follow the log; it tries again until it can, and says so then`, {
      follower: name,
      error: messageOf(error),
    });
  }
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
