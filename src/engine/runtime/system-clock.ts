import type { CancelTimer, Clock } from '../ports/clock.js';

/** setTimeout's own limit, 24.8 days; longer waits are armed again. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (at, callback) => {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const remainingMs = Math.max(0, at - Date.now());
      const isLast = remainingMs <= MAX_TIMEOUT_MS;
      timer = setTimeout(isLast ? callback : arm, isLast ? remainingMs : MAX_TIMEOUT_MS);
      timer.unref();
    };
    arm();
    const cancel: CancelTimer = () => clearTimeout(timer);
    return cancel;
  },
};
