import { setTimeout as delay } from 'node:timers/promises';

/** What an append waits at most: its caller waits, and so do the appends after it. */
const WAITED_FOR_MS = 1_000;
/** Where something is in the way, it most likely still is just after. */
const AGAIN_AFTER_MS = 5_000;

export interface MissingWeeksOptions {
  /** As `preparePartitions`. */
  readonly prepare: (signal: AbortSignal) => Promise<unknown>;
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Ms of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * The partitions that are missing, for an append that was refused for want of one: whoever meets that makes them at once, whichever
 * replica looks after them once a day.
 */
export class MissingWeeks {
  private readonly closing = new AbortController();
  private making: Promise<unknown> = Promise.resolve();
  private begunAt = -Infinity;

  constructor(private readonly options: MissingWeeksOptions) {}

  /** Resolves once they are made, or cannot be made now, or after a second. Never rejects. */
  async made(): Promise<void> {
    const { prepare, now = () => performance.now(), wait = this.waited } = this.options;
    const { signal } = this.closing;
    if (signal.aborted) return;
    if (now() - this.begunAt >= AGAIN_AFTER_MS) {
      this.begunAt = now();
      // Why they cannot be made, the append that is refused again says.
      this.making = prepare(signal).catch(() => undefined);
    }
    const leftMs = this.begunAt + WAITED_FOR_MS - now();
    if (leftMs > 0) await Promise.race([this.making, wait(leftMs)]);
  }

  /** Resolves once nothing is made any more. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.making;
  }

  private readonly waited = (ms: number): Promise<unknown> =>
    delay(ms, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined);
}
