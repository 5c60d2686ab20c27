import { messageOf } from '../../../errors/flowgate-error.js';
import { sleep, type Clock } from '../../ports/clock.js';
import type { LogEntry, RunStore } from '../../ports/run-store.js';
import { doublingMs } from '../doubling.js';
import type { EngineLogger } from '../logger.js';
import type { Load } from './load.js';
import { Pace } from './pace.js';

const RETRY = { firstMs: 1_000, longestMs: 60_000 };

/** What a follower of all runs needs of the store. */
export type FollowedStore = FollowedLog<LogEntry>;

/** What a follower needs of the log that it follows. */
export interface FollowedLog<Entry> extends Pick<RunStore, 'lastPosition' | 'readCursor' | 'writeCursor'> {
  readAll(request: { readonly afterPosition: number; readonly limit: number }): Promise<readonly Entry[]>;
}

interface Positioned {
  readonly position: number;
}

export interface LogFollowerOptions<Entry extends Positioned = LogEntry> {
  /** Names its cursor in the store: for ever, since another name begins at the start of the log. */
  readonly name: string;
  readonly store: FollowedLog<Entry>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly load: Load;
  /** How many entries are handled at once while there is little else to do; less than half of it under load. */
  readonly batchEntries: number;
  /**
   * How long it sleeps at most before it looks whether another process appended, in ms. Null: this process is alone
   * with the store, and pokes suffice.
   */
  readonly pollMs: number | null;
  /** Must stand being given entries again: a batch whose cursor was not stored comes once more. */
  readonly handle: (entries: readonly Entry[], signal: AbortSignal) => Promise<void>;
}

/**
 * Follows the log of all runs from a cursor in the store, off the hot path.
 *
 * 1. The cursor is written after its batch was handled, so nothing is left out; what is handled twice must not matter.
 * 2. A poke is never lost: one that comes while it works makes it look again before it sleeps.
 * 3. A failure is said once, and once more when it is over; in between it tries again after 1 s, 2 s, up to 60 s.
 */
export class LogFollower<Entry extends Positioned = LogEntry> {
  private readonly pace: Pace;
  /** Null: as the store has it. Known only while it follows in this process. */
  private position: number | null = null;
  /** Grows when the follower starts over: a batch that was in hand then leaves the cursor alone. */
  private epoch = 0;
  private startingOver: Promise<void> = Promise.resolve();
  private following: Promise<void> = Promise.resolve();
  private isPoked = false;
  private wake: (() => void) | null = null;

  constructor(private readonly options: LogFollowerOptions<Entry>) {
    this.pace = new Pace(options.clock, options.load, options.batchEntries);
  }

  get name(): string {
    return this.options.name;
  }

  /** Something was appended. Costs next to nothing: the work happens later. */
  poke(): void {
    this.isPoked = true;
    this.wake?.();
  }

  /** The work of its role: goes on until the signal fires, and waits then for the batch in hand. Never rejects. */
  follow(signal: AbortSignal): Promise<void> {
    // A role that went and came back may begin again before it has ended.
    this.following = this.following.then(() => this.followUntil(signal));
    return this.following;
  }

  /** How many entries of the log it has not handled yet, wherever it follows. */
  async lag(): Promise<number> {
    const { store, name } = this.options;
    const position = this.position ?? (await store.readCursor({ name }));
    return Math.max(0, (await store.lastPosition()) - position);
  }

  /** Everything that the log still holds is handled again. */
  startOver(): Promise<void> {
    const { store, name } = this.options;
    this.epoch += 1;
    this.position = null;
    const begun = store.writeCursor({ name, position: 0 });
    this.startingOver = begun.catch(() => undefined);
    return begun.then(() => this.poke());
  }

  private async followUntil(signal: AbortSignal): Promise<void> {
    const { clock, logger, name } = this.options;
    let failures = 0;
    while (!signal.aborted) {
      try {
        const isAtEnd = await this.stretch(signal);
        if (failures > 0) logger.warn(`The ${name} follows the log again`, { follower: name, failures });
        failures = 0;
        await this.pace.rest(isAtEnd, signal);
        if (isAtEnd) await this.news(signal);
      } catch (error) {
        this.position = null;
        if (signal.aborted) break;
        failures += 1;
        if (failures === 1) this.sayThatItFailed(error);
        await sleep(clock, doublingMs(failures, RETRY), signal);
      }
    }
    this.position = null;
  }

  /** Handles batches for as long as the load allows. True: the end of the log was reached. */
  private async stretch(signal: AbortSignal): Promise<boolean> {
    this.isPoked = false;
    do {
      await turnOfTheLoop();
      if (signal.aborted || (await this.batch(signal))) return true;
    } while (this.pace.mayGoOn);
    return false;
  }

  /** True: there was nothing left. */
  private async batch(signal: AbortSignal): Promise<boolean> {
    const { store, name } = this.options;
    await this.startingOver;
    const { epoch } = this;
    const after = this.position ?? (await store.readCursor({ name }));
    const position = await this.pace.count(() => this.handleAfter(after, signal));
    if (position === null) return true;
    if (epoch !== this.epoch) return false;
    await store.writeCursor({ name, position });
    if (epoch === this.epoch) this.position = position;
    return false;
  }

  /** Answers the position of the last entry that it handled; null: there was none. */
  private async handleAfter(afterPosition: number, signal: AbortSignal): Promise<number | null> {
    const { store, handle } = this.options;
    const entries = await store.readAll({ afterPosition, limit: this.pace.batch });
    const last = entries.at(-1);
    if (last === undefined || signal.aborted) return null;
    await handle(entries, signal);
    return last.position;
  }

  /** Resolves with the next poke, or when it is time to look by itself. */
  private news(signal: AbortSignal): Promise<void> {
    if (this.isPoked || signal.aborted) return Promise.resolve();
    const { clock, pollMs } = this.options;
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel?.();
        signal.removeEventListener('abort', wake);
        this.wake = null;
        resolve();
      };
      const cancel = pollMs === null ? null : clock.schedule(clock.now() + pollMs, wake);
      signal.addEventListener('abort', wake);
      this.wake = wake;
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

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
