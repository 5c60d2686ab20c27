import type { CancelTimer, Clock } from '../ports/clock.js';

/** The machine's two clocks. */
export interface Readings {
  /** Epoch ms; anybody may set it. */
  wallMs(): number;
  /** Ms from some origin; never set, but it may stop while the machine sleeps. */
  steadyMs(): number;
}

const MACHINE: Readings = { wallMs: () => Date.now(), steadyMs: () => performance.now() };

/**
 * A longer wait is checked in between: timers stop while the machine sleeps, and only the wall clock tells how long that
 * was. A wait may also be late by this much after such a sleep.
 */
const LOOK_EVERY_MS = 5_000;

/**
 * 1. `now` follows the steady clock, so that setting the wall clock back delays nothing.
 * 2. It is never behind the wall clock: one that is set forward, or continued while the machine slept, takes it along, and
 *    what is due by then happens.
 * 3. So it stays ahead of a wall clock that was set back, until that has caught up or the process restarts.
 */
export class SystemClock implements Clock {
  /** What `now` was when the steady clock began to count. */
  private origin: number;
  private latest = -Infinity;
  private lastWall = NaN;

  constructor(
    private readonly readings: Readings = MACHINE,
    private readonly lookEveryMs = LOOK_EVERY_MS,
  ) {
    this.origin = readings.wallMs() - readings.steadyMs();
  }

  now(): number {
    const wall = this.readings.wallMs();
    // This is called many times within one millisecond, which must not cost two readings each time.
    if (wall === this.lastWall) return this.latest;
    this.lastWall = wall;
    const steady = this.origin + this.readings.steadyMs();
    if (wall > steady) this.origin += wall - steady;
    return (this.latest = Math.max(this.latest, wall, Math.floor(steady)));
  }

  wallTime(): number {
    return this.readings.wallMs();
  }

  schedule(at: number, callback: () => void): CancelTimer {
    let timer: NodeJS.Timeout;
    // Timers may fire a millisecond early.
    const arm = (waitMs: number): void => {
      timer = setTimeout(check, Math.min(Math.max(0, waitMs), this.lookEveryMs));
      timer.unref();
    };
    const check = (): void => {
      const waitMs = at - this.now();
      if (waitMs > 0) arm(waitMs);
      else callback();
    };
    arm(at - this.now());
    return () => clearTimeout(timer);
  }
}

export const systemClock: Clock = new SystemClock();
