import { untilLeft } from './until-left.js';

/**
 * Decides when a read is done: at once, as background work, or a few at a time. It must do the work, however that ends;
 * where `isWanted` says no, there is nothing to do, and it need not wait.
 */
export type Schedule = <Result>(work: () => Promise<Result>, isWanted: () => boolean) => Promise<Result>;

export interface CoalescedReadOptions {
  readonly schedule: Schedule;
  /** The break between two reads. Never rejects. */
  readonly takeBreak: () => Promise<void>;
  /** Called when no read is scheduled, under way, or followed by its break any more. */
  readonly onIdle: () => void;
}

interface Asker<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Reads once for all who ask before the read begins. Nobody gets what was read before their request: a request during a read,
 * or during the break that follows, waits for the next read, which begins then. So of a thousand callers in a row many share
 * a read. A read that all callers have left is skipped, and nothing is kept of them; only its slot in the schedule stays until
 * its time comes, for callers that ask again.
 */
export class CoalescedRead<Result> {
  /** The callers that wait for a read that has not begun yet; null: none is scheduled. */
  private askers: Set<Asker<Result>> | null = null;
  /** The last read that is scheduled or under way, with its break; it never rejects. */
  private last: Promise<void> | null = null;

  constructor(
    private readonly read: () => Promise<Result>,
    private readonly options: CoalescedReadOptions,
  ) {}

  get isIdle(): boolean {
    return this.last === null;
  }

  /** Rejects with the signal's reason as soon as that fires. */
  next(signal: AbortSignal): Promise<Result> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const askers = this.askers ?? this.scheduleNext();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const asker = { resolve, reject };
    askers.add(asker);
    return untilLeft(promise, signal, () => askers.delete(asker));
  }

  private scheduleNext(): Set<Asker<Result>> {
    const askers = new Set<Asker<Result>>();
    this.askers = askers;
    const done = (this.last ?? Promise.resolve())
      // This never runs before the caller waits: a schedule may do its work at once.
      .then(() => this.readFor(askers))
      .then((wasRead) => (wasRead ? this.options.takeBreak() : undefined))
      .then(() => {
        if (this.last !== done) return;
        this.last = null;
        this.options.onIdle();
      });
    this.last = done;
    return askers;
  }

  /** Whether it was read; never rejects. */
  private async readFor(askers: Set<Asker<Result>>): Promise<boolean> {
    let wasRead = false;
    const begun = async (): Promise<Result | null> => {
      this.askers = null;
      // All have left, and nobody can come any more.
      if (askers.size === 0) return null;
      wasRead = true;
      return this.read();
    };
    try {
      const result = await this.options.schedule(begun, () => askers.size > 0);
      for (const asker of askers) asker.resolve(result as Result);
    } catch (error) {
      for (const asker of askers) asker.reject(error);
    }
    return wasRead;
  }
}
