import { setTimeout as delay } from 'node:timers/promises';

/** The time of a measurement, in ms; a test has one of its own. */
export interface Clock {
  now(): number;
  pause(ms: number): Promise<unknown>;
}

export const CLOCK: Clock = { now: () => performance.now(), pause: delay };
