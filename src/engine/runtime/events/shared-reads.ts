/** When a read is done: at once, at leisure, in turns. It must do the work, however it ends. */
export type Schedule = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Waiting {
  readonly result: Promise<unknown>;
  readonly begin: (() => void)[];
}

/**
 * Reads once for all who ask the same before it is read. Nobody is answered with what was read before he asked: who asks
 * while it is being read, or during the rest that follows, waits for the next read, which begins then. So of a thousand who
 * come one after the other many are answered together.
 */
export class SharedReads {
  /** Not begun yet, by what is asked. */
  private readonly waiting = new Map<string, Waiting>();

  /** What is being read, or will be, by what is asked: the last of each; it never rejects. */
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(
    private readonly schedule: Schedule,
    /** Never rejects. */
    private readonly rest: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /** `onBegin` is called just before it is read. Whoever gives the same key must mean the same read. */
  read<Result>(key: string, read: () => Promise<Result>, onBegin: () => void): Promise<Result> {
    const known = this.waiting.get(key) ?? this.wait(key, read);
    known.begin.push(onBegin);
    return known.result as Promise<Result>;
  }

  private wait(key: string, read: () => Promise<unknown>): Waiting {
    const begin: (() => void)[] = [];
    const begun = (): Promise<unknown> => {
      this.waiting.delete(key);
      for (const tell of begin) tell();
      return read();
    };
    // Never before this one waits: a schedule may do its work at once.
    const result = (this.last.get(key) ?? Promise.resolve()).then(() => this.schedule(begun));
    const waiting = { result, begin };
    this.waiting.set(key, waiting);
    const done = result
      .catch(() => undefined)
      .then(() => this.rest())
      .then(() => {
        if (this.last.get(key) === done) this.last.delete(key);
      });
    this.last.set(key, done);
    return waiting;
  }
}
