import type { Clock } from '../../ports/clock.js';
import { callAt } from '../../scheduling/call-at.js';

/**
 * The machine's steady clock, which nobody sets: by it a replica knows for how long it may believe that it owns something. It
 * does not stand still while the process does.
 */
class SteadyClock implements Clock {
  now(): number {
    return Math.floor(performance.timeOrigin + performance.now());
  }

  wallTime(): number {
    return this.now();
  }

  schedule(at: number, callback: () => void): ReturnType<Clock['schedule']> {
    return callAt(() => this.now(), at, callback);
  }
}

export const steadyClock: Clock = new SteadyClock();
