export interface Bounds {
  readonly signal?: AbortSignal | undefined;
  /** `Infinity`: none. */
  readonly timeoutMs: number;
  readonly onTimeout: () => Error;
}

/**
 * What the work comes to, unless the caller's signal fires or the time is up before: then it rejects at once, with the
 * signal's reason or the error of `onTimeout`, and the work's own signal fires. Nothing is left behind on the signal.
 */
export async function within<T>(bounds: Bounds, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal: outer, timeoutMs, onTimeout } = bounds;
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const onAbort = (): void => controller.abort(outer?.reason);
  outer?.addEventListener('abort', onAbort, { once: true });
  const timer = Number.isFinite(timeoutMs)
    ? setTimeout(() => controller.abort(onTimeout()), timeoutMs)
    : undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([work(signal), ended]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}

/** Rejects with the signal's reason when it fires before. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
