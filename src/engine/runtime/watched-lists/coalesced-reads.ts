import { untilLeft } from './until-left.js';

/**
 * Decides when a read is done: at once, as background work, or a few at a time. It must do the work, however that ends;
 * where `isWanted` says no, there is nothing to do, and it need not wait.
 */
export type Schedule = <Result>(work: () => Promise<Result>, isWanted: () => boolean) => Promise<Result>;

/** What is read for one caller. */
export interface CoalescedRead<Result> {
  read(): Promise<Result>;
  /** Called just before the read begins, also where it is the `read` of another caller. */
  onBegin(): void;
}

interface Asker extends CoalescedRead<unknown> {
  resolve(result: unknown): void;
  fail(error: unknown): void;
}

/**
 * Reads once for all who request the same before the read begins. Nobody gets what was read before their request: a request
 * during a read, or during the break that follows, waits for the next read, which begins then. So of a thousand callers in a
 * row many share a read. A read that all callers have left is skipped, and nothing is kept of them; only its slot in the
 * schedule stays until its time comes, for callers that request the same again.
 */
export class CoalescedReads {
  /** The callers that wait for a read that has not begun yet, by key. */
  private readonly waiting = new Map<string, Set<Asker>>();

  /** The last read of each key that is under way or scheduled; it never rejects. */
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(
    private readonly schedule: Schedule,
    /** Never rejects. */
    private readonly takeBreak: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /** How many keys have a read that is scheduled, under way, or followed by its break. */
  get size(): number {
    return this.last.size;
  }

  /** The same key must mean the same read. Rejects with the signal's reason as soon as that fires. */
  read<Result>(key: string, asked: CoalescedRead<Result>, signal: AbortSignal): Promise<Result> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const askers = this.waiting.get(key) ?? this.wait(key);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const asker: Asker = {
      read: () => asked.read(),
      onBegin: () => asked.onBegin(),
      resolve: (result) => resolve(result as Result),
      fail: reject,
    };
    askers.add(asker);
    return untilLeft(promise, signal, () => askers.delete(asker));
  }

  private wait(key: string): Set<Asker> {
    const askers = new Set<Asker>();
    this.waiting.set(key, askers);
    const before = this.last.get(key) ?? Promise.resolve();
    const done = before
      // This never runs before the caller waits: a schedule may do its work at once.
      .then(() => this.readFor(key, askers))
      .then((wasRead) => (wasRead ? this.takeBreak() : undefined))
      .then(() => {
        if (this.last.get(key) === done) this.last.delete(key);
      });
    this.last.set(key, done);
    return askers;
  }

  /** Whether it was read; never rejects. */
  private async readFor(key: string, askers: Set<Asker>): Promise<boolean> {
    let wasRead = false;
    const begun = async (): Promise<unknown> => {
      this.waiting.delete(key);
      const [first] = askers;
      if (first === undefined) return undefined;
      wasRead = true;
      for (const asker of askers) asker.onBegin();
      return first.read();
    };
    try {
      const result = await this.schedule(begun, () => askers.size > 0);
      for (const asker of askers) asker.resolve(result);
    } catch (error) {
      for (const asker of askers) asker.fail(error);
    }
    return wasRead;
  }
}
