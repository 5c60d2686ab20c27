/** Those who wait for the next change of something, each until its own signal fires. It leaves no listener behind. */
export class Waiters {
  private readonly waiting = new Set<() => void>();

  get size(): number {
    return this.waiting.size;
  }

  /** Resolves when the waiter is woken, or when the signal fires. */
  wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  /** Those who wait now: each function wakes one of them. */
  now(): readonly (() => void)[] {
    return [...this.waiting];
  }

  wakeAll(): void {
    for (const wake of this.waiting) wake();
  }
}
