import type { AttemptOutcome } from '../engine/index.js';
import { Tally } from './tally.js';

/** The counts of the calls to one origin. */
export interface OriginTally {
  readonly outcomes: Record<AttemptOutcome, number>;
  /** In seconds. */
  readonly durations: Tally;
}

/** The most origins with a tally of their own; documents may name any number of them. */
export const MAX_ORIGINS = 100;
export const OTHER = 'other';
const BOUNDS_S = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The calls of units by their origin, in bounded memory and a bounded number of time series. */
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
