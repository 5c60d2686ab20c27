const BATCHES_PER_TURN = 256;

/**
 * Units that answer at once and a store in memory never leave the microtask queue, so a long run could keep the
 * process from its sockets and timers. After so many batches, of all runs together, one waits for the event loop.
 */
export class Fairness {
  private batches = 0;

  /** Null: go on at once. */
  turn(): Promise<void> | null {
    if (++this.batches < BATCHES_PER_TURN) return null;
    this.batches = 0;
    return new Promise((resolve) => setImmediate(resolve));
  }
}
