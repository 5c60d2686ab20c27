import type { RetryPolicy } from '../core/plan/plan.js';

/**
 * What a document means where it says nothing. A plan holds every one of these as it was when it was compiled, so a later
 * version may change them without an effect on runs that have begun.
 */
export interface Language {
  /** Grows when the same document would mean something else; part of a plan's hash. */
  readonly revision: number;
  readonly defaults: {
    readonly retry: RetryPolicy;
    /** For one attempt, in ms. */
    readonly unitMs: number;
    readonly maxParallelUnits: number;
    readonly maxIterations: number;
    readonly maxRounds: number;
    readonly itemName: string;
    /** Passes of a foreach at once. */
    readonly passesAtOnce: number;
    /** Branches of a parallel, or executors of a dag, at once. */
    readonly branchesAtOnce: number;
    /** What a rejected gate does to the run. */
    readonly onReject: 'fail' | 'continue';
    /** What a budget that is used up does to the run. */
    readonly onExceed: 'fail' | 'pause';
    /** How long a circuit breaker stays open, in ms. */
    readonly resetMs: number;
  };
}

/**
 * The language of definitions that were stored without their plans. Never change it: they are compiled by it when one of
 * their runs is first loaded again.
 */
export const FIRST_LANGUAGE: Language = {
  revision: 1,
  defaults: {
    retry: { maxAttempts: 3, backoff: 'exponential', baseMs: 200, maxMs: 30_000, jitter: true },
    unitMs: 120_000,
    maxParallelUnits: 16,
    maxIterations: 10,
    maxRounds: 10,
    itemName: 'item',
    passesAtOnce: 1,
    branchesAtOnce: Infinity,
    onReject: 'fail',
    onExceed: 'fail',
    resetMs: 30_000,
  },
};

/** The language of documents that are registered today. */
export const LANGUAGE: Language = { ...FIRST_LANGUAGE };
