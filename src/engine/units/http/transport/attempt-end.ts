import type { AttemptEnd } from '../../../ports/unit-executor.js';

/**
 * Calls `listener` at the attempt's end before its answer, at once if it is over. What is given takes a listener back
 * that would outlive the call; null: it goes by itself.
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
