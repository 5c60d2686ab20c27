import type { CancelTimer, Clock } from '../ports/clock.js';
import { callAt } from '../scheduling/call-at.js';
import { MACHINE, type Readings } from '../scheduling/readings.js';

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
    private readonly lookEveryMs?: number,
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
    return callAt(() => this.now(), at, callback, this.lookEveryMs);
  }
}

export const systemClock: Clock = new SystemClock();
