import type { AttemptEnd } from '../../../ports/unit-executor.js';

/**
 * Calls `listener` when the attempt ends before its outcome, at once if it is over. Returns a function that removes a
 * listener that would outlive the call; null: it needs no removal.
 */
export function whenAborted(attempt: AttemptEnd, listener: () => void): (() => void) | null {
  if (attempt.onAbort !== undefined) {
    attempt.onAbort(listener);
    return null;
  }
  const { signal } = attempt;
  if (signal.aborted) {
    listener();
    return null;
  }
  signal.addEventListener('abort', listener);
  return () => signal.removeEventListener('abort', listener);
}
