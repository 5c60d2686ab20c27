/** Cancels what was scheduled; harmless when it has already run. */
export type CancelTimer = () => void;

/**
 * The only source of time in the engine. It has two readings, since the wall clock of a machine may be set at any time: what
 * lasts (a back-off, a time-out, a deadline) is measured by `now`, what the outside world names or reads as a date by
 * `wallTime`. They are the same until the wall clock is set back (decision 0034).
 */
export interface Clock {
  /** Epoch ms; never less than it was before within one life of the process, and at least what the wall clock says. */
  now(): number;
  /** Epoch ms by the wall clock, which may go back. */
  wallTime(): number;
  /**
   * Calls back once, not before `now` is at least `at` (epoch ms, any distance). Never keeps the process alive. `isCare`:
   * the call is housekeeping of the process, and no run depends on its time; a clock that leaps over a year may leave all
   * but the last such call out. Default: false.
   */
  schedule(at: number, callback: () => void, isCare?: boolean): CancelTimer;
}

/** Resolves `ms` from now by that clock, or as soon as the signal, if any, fires; leaves neither timer nor listener behind. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.schedule(clock.now() + ms, wake);
    signal?.addEventListener('abort', wake);
  });
}

/** Resolves when the work is done, or after `ms` by that clock, whichever is first; rejects when the work did first. */
export async function waitAtMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  try {
    await Promise.race([work, sleep(clock, ms, done.signal)]);
  } finally {
    done.abort();
  }
}
