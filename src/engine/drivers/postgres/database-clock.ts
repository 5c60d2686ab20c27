import type { CancelTimer, Clock } from '../../ports/clock.js';
import { callAt } from '../../scheduling/call-at.js';
import { MACHINE, type Readings } from '../../scheduling/readings.js';

/** Of so many observations that with the shortest way there and back is believed: 8 s of beats. */
const SAMPLES = 16;
/** What clocks drift apart within those, and more: a difference that the way does not explain is a clock that was set. */
const DRIFT_MS = 10;
/** While `now` is ahead, it goes on by this share of the time that passes. */
const SLOWED = 0.5;

export interface ClockObservation {
  /** What the database's clock said, in epoch ms, somewhere between the sending and the answer. */
  readonly databaseMs: number;
  /** How long that took. */
  readonly roundTripMs: number;
}

interface Sample {
  /** The database's time less that of the steady clock. */
  readonly offsetMs: number;
  readonly roundTripMs: number;
}

/**
 * The time of the database, which is the same in all replicas, whatever the clocks of their machines say.
 *
 * 1. Before the first observation it is the wall clock of the machine, and that observation may set it back: nothing of a run
 *    was decided by then. From there on `now` never goes back.
 * 2. Between two observations it follows the steady clock: setting the clock of the machine has no effect.
 * 3. `now` is never behind the database. Where it is ahead, because the database's clock was set back, or another database
 *    serves, it goes half as fast until the database has caught up.
 */
export class DatabaseClock implements Clock {
  private offsetMs: number | null = null;
  private samples: readonly Sample[] = [];
  /** What `now` was last, not rounded, and when by the steady clock. */
  private lastMs = -Infinity;
  private lastAt = 0;

  constructor(private readonly readings: Readings = MACHINE) {}

  /** Called as soon as the answer is there. */
  observe({ databaseMs, roundTripMs }: ClockObservation): void {
    const offsetMs = databaseMs + roundTripMs / 2 - this.readings.steadyMs();
    const sample = { offsetMs, roundTripMs };
    const isSet = this.offsetMs === null || Math.abs(offsetMs - this.offsetMs) > roundTripMs / 2 + DRIFT_MS;
    this.samples = isSet ? [sample] : [...this.samples, sample].slice(-SAMPLES);
    if (this.offsetMs === null) this.lastMs = -Infinity;
    const best = this.samples.reduce((one, next) => (next.roundTripMs <= one.roundTripMs ? next : one));
    this.offsetMs = best.offsetMs;
  }

  now(): number {
    const at = this.readings.steadyMs();
    const slowedMs = this.lastMs + (at - this.lastAt) * SLOWED;
    this.lastMs = Math.max(this.databaseMs(at), slowedMs);
    this.lastAt = at;
    return Math.floor(this.lastMs);
  }

  wallTime(): number {
    return Math.floor(this.databaseMs(this.readings.steadyMs()));
  }

  schedule(at: number, callback: () => void): CancelTimer {
    return callAt(() => this.now(), at, callback);
  }

  private databaseMs(steadyMs: number): number {
    return this.offsetMs === null ? this.readings.wallMs() : steadyMs + this.offsetMs;
  }
}
