import type { AccessStore, Clock, EngineLogger } from '../engine/index.js';
import { sleep } from '../engine/ports/clock.js';
import { AuthUnavailableError } from '../errors/access-errors.js';
import { messageOf } from '../errors/flowgate-error.js';

const LOOK_EVERY_MS = 2_000;
/** What was seen of the store is relied on for so long; a look that takes longer is given up. */
const FRESH_MS = 5_000;

export interface ChangeWatchParts {
  readonly store: Pick<AccessStore, 'accessCounter' | 'watchAccess'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** Called when something changed, or may have. */
  readonly changed: () => void;
}

/**
 * Looks whether keys or revocations have changed, in this process or in another.
 *
 * 1. What a look found holds from when it began: a change that was committed after that is not in it.
 * 2. While the last one that succeeded began more than 5 s ago, nothing is known.
 */
export class ChangeWatch {
  private counter: number | null = null;
  private seenAt = -Infinity;
  private looking: Promise<void> | null = null;
  private hasFailed = false;
  private readonly closing = new AbortController();
  private stopWatching: () => void = () => undefined;
  private cancel: () => void = () => undefined;

  constructor(private readonly parts: ChangeWatchParts) {}

  /** Rejects as the store does where it cannot be read. */
  async open(): Promise<void> {
    const { store, changed } = this.parts;
    await this.look();
    this.stopWatching = store.watchAccess(() => {
      if (!this.closing.signal.aborted) changed();
    });
    this.lookLater();
  }

  close(): void {
    this.closing.abort();
    this.cancel();
    this.stopWatching();
  }

  get isFresh(): boolean {
    return !this.closing.signal.aborted && this.parts.clock.now() < this.freshUntil;
  }

  /** By the clock's `now`. */
  get freshUntil(): number {
    return this.seenAt + FRESH_MS;
  }

  /** Resolves when it is fresh. Rejects with an `AuthUnavailableError` where the store cannot be read. */
  async refresh(): Promise<void> {
    if (this.isFresh) return;
    if (this.closing.signal.aborted) throw new AuthUnavailableError('The store of keys');
    try {
      await this.look();
    } catch (cause) {
      throw new AuthUnavailableError('The store of keys', { cause });
    }
    if (!this.isFresh) throw new AuthUnavailableError('The store of keys');
  }

  private lookLater(): void {
    const { clock } = this.parts;
    const lookAgain = (): void => {
      void this.look().then(
        () => this.report(false),
        (error: unknown) => this.report(true, error),
      );
      this.lookLater();
    };
    this.cancel = clock.schedule(clock.now() + LOOK_EVERY_MS, lookAgain, true);
  }

  private report(hasFailed: boolean, error?: unknown): void {
    if (hasFailed === this.hasFailed || this.closing.signal.aborted) return;
    this.hasFailed = hasFailed;
    const { logger } = this.parts;
    if (hasFailed)
      logger.error(
        'The store of keys cannot be read: requests that need to know who is asking are refused with 503 until it can',
        { error: messageOf(error) },
      );
    else logger.info('The store of keys can be read again');
  }

  private look(): Promise<void> {
    this.looking ??= this.lookNow().finally(() => (this.looking = null));
    return this.looking;
  }

  private async lookNow(): Promise<void> {
    const { store, clock, changed } = this.parts;
    const begunAt = clock.now();
    const done = new AbortController();
    try {
      const ended = AbortSignal.any([done.signal, this.closing.signal]);
      const tooLate = sleep(clock, FRESH_MS, ended).then(() => null);
      const counter = await Promise.race([store.accessCounter(), tooLate]);
      if (counter === null) throw new Error('It did not answer within 5 s.');
      if (this.counter !== null && counter !== this.counter) changed();
      this.counter = counter;
      this.seenAt = begunAt;
    } finally {
      done.abort();
    }
  }
}
