/**
 * Wakes those who wait for new events, also for those that another process appended. It has no content: a waiter that was
 * woken looks at the store.
 *
 * 1. An append that is announced after `waitFor` was called resolves it, if it is of the requested run and beyond
 *    `afterSeq`. So: first `waitFor`, then look at the store, then await.
 * 2. It may resolve without a new event; the caller looks and waits again.
 * 3. When `signal` fires it resolves too, and keeps nothing.
 */
export interface RunWatch {
  /** `runId` null: any run; then `afterSeq` counts for nothing. Never rejects. */
  waitFor(request: {
    readonly runId: string | null;
    readonly afterSeq: number;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** This process appended. Costs next to nothing while there are no waiters. */
  announce(request: { readonly runId: string; readonly seq: number }): void;
  /** Resolves all waiters. */
  close(): Promise<void>;
}
