import type { RunWatch } from '../../ports/run-watch.js';
import { RunWaiters } from '../../scheduling/run-waiters.js';

/**
 * Announces appends within one process. Several of its engines may share one watch: `close` resolves all waiters, and those
 * of another engine look, find nothing and wait again.
 */
export class InProcessRunWatch implements RunWatch {
  private readonly waiters = new RunWaiters();

  /** The number of waiters. */
  get waiting(): number {
    return this.waiters.count;
  }

  waitFor(request: Parameters<RunWatch['waitFor']>[0]): Promise<void> {
    return this.waiters.wait(request);
  }

  announce(append: Parameters<RunWatch['announce']>[0]): void {
    this.waiters.announce(append);
  }

  async close(): Promise<void> {
    this.waiters.wakeAll();
  }
}
