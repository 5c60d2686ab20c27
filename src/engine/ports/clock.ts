/** Cancels what was scheduled; harmless when it has already run. */
export type CancelTimer = () => void;

/** The only source of time in the engine. */
export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Calls back once, not before the instant `at` (epoch ms, any distance). Never keeps the process alive. */
  schedule(at: number, callback: () => void): CancelTimer;
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
