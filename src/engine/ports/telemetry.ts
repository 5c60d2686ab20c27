import type { AppendResult } from './run-store.js';

/** How an attempt of a unit ended. `aborted`: nobody waited for its answer any more. */
export type AttemptOutcome = 'finished' | 'failed' | 'timed-out' | 'aborted';

/** `failed`: nobody knows whether it was written. */
export type AppendOutcome = AppendResult | 'failed';

/**
 * Who counts and measures what an engine does. It is told on the hot path, so it has to be quick: no I/O, nothing that grows
 * with what it is told. What it throws is said once, and then it is told nothing more.
 */
export interface Telemetry {
  /** By the process that stored it, once it is durable. */
  runStarted(): void;
  /** Likewise. A run that failed and was taken up again ends more than once. `lastedMs`: since it was made. */
  runEnded(status: 'completed' | 'failed' | 'cancelled', lastedMs: number): void;
  /**
   * `origin`: the origin of what was called (`https://api.example.com`), `in-process`, `builtin`, or `computed` where a run
   * says whom it calls. Documents name origins: whoever keeps something for each has to bound how many.
   */
  attempted(origin: string, outcome: AttemptOutcome, tookMs: number): void;
  /** An append of events, from when it was asked for until it was durable. */
  appended(outcome: AppendOutcome, tookMs: number): void;
  /** A group of `operations` that the store committed together, or failed to, from when the writer was handed it. */
  committed(operations: number, tookMs: number, isDurable: boolean): void;
}
