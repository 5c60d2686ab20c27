/** When a read is done: at once, at leisure, in turns. It must do the work, however it ends. */
export type Schedule = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Waiting {
  readonly result: Promise<unknown>;
  readonly begin: (() => void)[];
}

/**
 * Reads once for all who ask the same before it is read. Nobody is answered with what was read before he asked: who asks
 * while it is being read waits for the next one.
 */
export class SharedReads {
  /** Not begun yet, by what is asked. */
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly schedule: Schedule) {}

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
    const waiting = { result: Promise.resolve().then(() => this.schedule(begun)), begin };
    this.waiting.set(key, waiting);
    return waiting;
  }
}
