import type { RunWatch } from '../ports/run-watch.js';

interface Waiter {
  readonly afterSeq: number;
  readonly wake: () => void;
}

/** The key of waiters for any run; no run has it. */
const ANY = '';

/**
 * Those who wait for an append, by run.
 *
 * Invariant: `waiters` holds no empty set, so an append looks up one key, and nothing while there are no waiters.
 */
export class RunWaiters {
  private readonly waiters = new Map<string, Set<Waiter>>();

  /** The number of waiters. */
  get count(): number {
    let count = 0;
    for (const { size } of this.waiters.values()) count += size;
    return count;
  }

  /** The runs that somebody waits for by name. */
  runs(): readonly string[] {
    return [...this.waiters.keys()].filter((key) => key !== ANY);
  }

  has(runId: string | null): boolean {
    return this.waiters.has(runId ?? ANY);
  }

  /** As `RunWatch.waitFor`. */
  wait({ runId, afterSeq, signal }: Parameters<RunWatch['waitFor']>[0]): Promise<void> {
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

  /** As `RunWatch.announce`. */
  announce({ runId, seq }: Parameters<RunWatch['announce']>[0]): void {
    if (this.waiters.size === 0) return;
    this.wake(runId, seq);
    this.wake(null, seq);
  }

  /** Wakes those who wait for what comes after an earlier seq; null: those who wait for any run. */
  wake(runId: string | null, seq: number): void {
    const key = runId ?? ANY;
    const waiters = this.waiters.get(key);
    if (waiters === undefined) return;
    for (const waiter of waiters) if (seq > waiter.afterSeq) waiter.wake();
  }

  wakeAll(): void {
    for (const waiters of this.waiters.values()) for (const { wake } of waiters) wake();
  }

  private forget(key: string, waiter: Waiter): void {
    const waiters = this.waiters.get(key);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.waiters.delete(key);
  }
}
