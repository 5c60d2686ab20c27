import type { CancelTimer } from '../ports/clock.js';

/**
 * A longer wait is checked in between: timers stop while the machine sleeps, and only the clock tells how long that was. A wait
 * may also be late by this much after such a sleep.
 */
const LOOK_EVERY_MS = 5_000;

/** `Clock.schedule`, for a clock that says what `now` is: by timers of Node, which know nothing of that clock. */
export function callAt(
  now: () => number,
  at: number,
  callback: () => void,
  lookEveryMs = LOOK_EVERY_MS,
): CancelTimer {
  let timer: NodeJS.Timeout;
  // Timers may fire a millisecond early.
  const arm = (waitMs: number): void => {
    timer = setTimeout(check, Math.min(Math.max(0, waitMs), lookEveryMs));
    timer.unref();
  };
  const check = (): void => {
    const waitMs = at - now();
    if (waitMs > 0) arm(waitMs);
    else callback();
  };
  arm(at - now());
  return () => clearTimeout(timer);
}
