import type { CancelTimer, Clock } from '../ports/clock.js';

/** setTimeout's own limit, 24.8 days; longer waits are armed again. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (at, callback) => {
    let timer: NodeJS.Timeout;
    // Timers may fire a millisecond early by the wall clock, and cannot be longer than 24.8 days.
    const arm = (): void => {
      timer = setTimeout(check, Math.min(Math.max(0, at - Date.now()), MAX_TIMEOUT_MS));
      timer.unref();
    };
    const check = (): void => (Date.now() < at ? arm() : callback());
    arm();
    const cancel: CancelTimer = () => clearTimeout(timer);
    return cancel;
  },
};
