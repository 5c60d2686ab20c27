import type { AppendResult } from './store/append.js';

/** How an attempt of a unit ended. `aborted`: its outcome was no longer awaited. */
export type AttemptOutcome = 'finished' | 'failed' | 'timed-out' | 'aborted';

/** `failed`: it is unknown whether it was written. */
export type AppendOutcome = AppendResult | 'failed';

/**
 * Counts and measures what an engine does. It is called on the hot path, so it has to be quick: no I/O, nothing that grows
 * with what it is given. An error that it throws is logged once, and then it is not called again.
 */
export interface Telemetry {
  /** Called by the process that stored it, once it is durable. */
  runStarted(): void;
  /** Likewise. A run that failed and was resumed ends more than once. `lastedMs`: since it was created. */
  runEnded(status: 'completed' | 'failed' | 'cancelled', lastedMs: number): void;
  /**
   * `origin`: the origin of what was called (`https://api.example.com`), `in-process`, `builtin`, or `computed` where only
   * the run determines it. Documents name origins: an implementation that keeps something for each has to bound their
   * number.
   */
  attempted(origin: string, outcome: AttemptOutcome, tookMs: number): void;
  /** An append of events, from when it was requested until it was durable. */
  appended(outcome: AppendOutcome, tookMs: number): void;
  /** A group of `operations` that the store committed together, or failed to, from when the writer was handed it. */
  committed(operations: number, tookMs: number, isDurable: boolean): void;
}
