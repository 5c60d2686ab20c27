import type { AttemptOutcome } from '../engine/index.js';
import { Tally } from './tally.js';

/** What is kept of the calls to one origin. */
export interface OriginTally {
  readonly outcomes: Record<AttemptOutcome, number>;
  /** In seconds. */
  readonly durations: Tally;
}

/** So many origins have a tally of their own: the first; documents name as many as they like. */
export const MAX_ORIGINS = 100;
export const OTHER = 'other';
const BOUNDS_S = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Calls of units by whom they went to, in bounded memory, and in as many time series. */
export class OriginTallies {
  private readonly tallies = new Map<string, OriginTally>();

  of(origin: string): OriginTally {
    const known = this.tallies.get(origin);
    if (known !== undefined) return known;
    if (origin !== OTHER && this.tallies.size >= MAX_ORIGINS) return this.of(OTHER);
    const tally: OriginTally = {
      outcomes: { finished: 0, failed: 0, 'timed-out': 0, aborted: 0 },
      durations: new Tally(BOUNDS_S),
    };
    this.tallies.set(origin, tally);
    return tally;
  }

  all(): Iterable<readonly [origin: string, tally: OriginTally]> {
    return this.tallies;
  }
}
