import { untilLeft } from './until-left.js';

/**
 * When a read is done: at once, at leisure, in turns. It must do the work, however it ends; where `isWanted` says no, there
 * is nothing to do, and it need not wait for its turn.
 */
export type Schedule = <Result>(work: () => Promise<Result>, isWanted: () => boolean) => Promise<Result>;

/** What is read, for one who asks. */
export interface SharedRead<Result> {
  read(): Promise<Result>;
  /** Called just before it is read, for whoever else it is read. */
  onBegin(): void;
}

interface Asker extends SharedRead<unknown> {
  answer(result: unknown): void;
  fail(error: unknown): void;
}

/**
 * Reads once for all who ask the same before it is read. Nobody is answered with what was read before he asked: who asks
 * while it is being read, or during the rest that follows, waits for the next read, which begins then. So of a thousand who
 * come one after the other many are answered together. What all who asked have left is not read, and nothing is kept of
 * them; its place, which whoever asks the same has anew, goes when its turn comes.
 */
export class SharedReads {
  /** Who waits for what is not begun yet, by what is asked. */
  private readonly waiting = new Map<string, Set<Asker>>();

  /** What is being read, or will be, by what is asked: the last of each; it never rejects. */
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(
    private readonly schedule: Schedule,
    /** Never rejects. */
    private readonly rest: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /** How many different things are waited for, read, or rested from. */
  get size(): number {
    return this.last.size;
  }

  /** Whoever gives the same key must mean the same read. Rejects with the signal's reason as soon as that fires. */
  read<Result>(key: string, asked: SharedRead<Result>, signal: AbortSignal): Promise<Result> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const askers = this.waiting.get(key) ?? this.wait(key);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const asker: Asker = {
      read: () => asked.read(),
      onBegin: () => asked.onBegin(),
      answer: (result) => resolve(result as Result),
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
      // Never before this one waits: a schedule may do its work at once.
      .then(() => this.readFor(key, askers))
      .then((wasRead) => (wasRead ? this.rest() : undefined))
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
      for (const asker of askers) asker.answer(result);
    } catch (error) {
      for (const asker of askers) asker.fail(error);
    }
    return wasRead;
  }
}
