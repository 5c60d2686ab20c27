import type { RunWatch } from '../../ports/run-watch.js';

interface Waiter {
  readonly afterSeq: number;
  readonly wake: () => void;
}

/** The key of waiters for any run; no run has it. */
const ANY = '';

/**
 * Announces appends within one process. Several of its engines may share one watch: `close` resolves all waiters, and those
 * of another engine look, find nothing and wait again.
 *
 * Invariant: `waiters` holds no empty set, so an append looks up one key, and nothing while there are no waiters.
 */
export class InProcessRunWatch implements RunWatch {
  private readonly waiters = new Map<string, Set<Waiter>>();

  /** The number of waiters. */
  get waiting(): number {
    let count = 0;
    for (const { size } of this.waiters.values()) count += size;
    return count;
  }

  waitFor({ runId, afterSeq, signal }: Parameters<RunWatch['waitFor']>[0]): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const key = runId ?? ANY;
    return new Promise((resolve) => {
      const wake = (): void => {
        this.forget(key, waiter);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const waiter: Waiter = { afterSeq: runId === null ? -Infinity : afterSeq, wake };
      const others = this.waiters.get(key);
      if (others === undefined) this.waiters.set(key, new Set([waiter]));
      else others.add(waiter);
      signal.addEventListener('abort', wake);
    });
  }

  announce({ runId, seq }: Parameters<RunWatch['announce']>[0]): void {
    if (this.waiters.size === 0) return;
    this.wake(runId, seq);
    this.wake(ANY, seq);
  }

  async close(): Promise<void> {
    for (const key of this.waiters.keys()) this.wake(key, Infinity);
  }

  private wake(key: string, seq: number): void {
    const waiters = this.waiters.get(key);
    if (waiters === undefined) return;
    for (const waiter of waiters) if (seq > waiter.afterSeq) waiter.wake();
  }

  private forget(key: string, waiter: Waiter): void {
    const waiters = this.waiters.get(key);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.waiters.delete(key);
  }
}
