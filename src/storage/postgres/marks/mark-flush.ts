/** Calls back after so many ms; the function cancels it. It never keeps the process alive. */
export type Later = (callback: () => void, ms: number) => () => void;

export const byTimers: Later = (callback, ms) => {
  const timer = setTimeout(callback, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

/** How long marks collect that nobody waits for. */
const COLLECT_MS = 50;
/** After a fault it is tried again after this, or with what comes next. */
const RETRY_MS = 1_000;

/**
 * When marks are written: what was noted within a moment, together, and one write after the other.
 *
 * 1. Whoever waits is told when what was noted until then is written, or could not be: a fault shows in `verify`, and keeps nobody
 *    from what is to be done. What could not be written stays noted.
 * 2. It never rejects.
 */
export class MarkFlush {
  private waiting: PromiseWithResolvers<void> | null = null;
  private cancelTimer: (() => void) | null = null;
  private isUrgent = false;
  private isUnderWay = false;
  private isStopped = false;
  private fault: unknown = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    /** Writes all that is noted. */
    private readonly write: () => Promise<void>,
    private readonly later: Later,
  ) {}

  /** Whether a write is under way: what it writes may be there, or not. */
  get isWriting(): boolean {
    return this.isUnderWay;
  }

  /** Something was noted. Resolves when it is written, or could not be. */
  noted({ isUrgent }: { readonly isUrgent: boolean }): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    this.waiting ??= Promise.withResolvers<void>();
    const { promise } = this.waiting;
    if (isUrgent) this.isUrgent = true;
    this.plan(COLLECT_MS);
    return promise;
  }

  /** Writes what is noted where the last write failed. Throws what it fails with. */
  async verify(): Promise<void> {
    if (this.fault !== null && !this.isStopped) await this.noted({ isUrgent: true });
    // Whoever waited was told of the write, not of its fault.
    if (this.fault !== null) throw this.fault;
  }

  /** Nothing is written any more, once what is under way has ended; whoever waits is told. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancelTimer?.();
    this.cancelTimer = null;
    this.waiting?.resolve();
    this.waiting = null;
    await this.writing;
  }

  private plan(ms: number): void {
    if (this.isUnderWay || this.isStopped) return;
    if (this.isUrgent) {
      // All that is noted in this turn of the event loop goes together.
      this.cancelTimer?.();
      this.cancelTimer = () => undefined;
      this.isUrgent = false;
      setImmediate(() => this.begin());
    } else this.cancelTimer ??= this.later(() => this.begin(), ms);
  }

  private begin(): void {
    if (this.isUnderWay || this.isStopped) return;
    this.cancelTimer?.();
    this.cancelTimer = null;
    this.isUnderWay = true;
    this.writing = this.writeOnce();
  }

  private async writeOnce(): Promise<void> {
    const { waiting } = this;
    this.waiting = null;
    try {
      await this.write();
      this.fault = null;
    } catch (error) {
      this.fault = error;
    }
    this.isUnderWay = false;
    waiting?.resolve();
    if (this.isUrgent || this.waiting !== null) this.plan(COLLECT_MS);
    else if (this.fault !== null) this.plan(RETRY_MS);
  }
}
