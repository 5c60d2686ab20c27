import type { Signal } from '../../../core/signal.js';
import type { UnitOutcome } from '../../../ports/unit-executor.js';

/** What the outcome of an attempt is to its run. */
export function outcomeSignal(
  { executionId, attempt }: { readonly executionId: number; readonly attempt: number },
  unitOutcome: UnitOutcome,
  at: number,
): Signal {
  if (unitOutcome.kind === 'finished') {
    const { output, patch, usage, metadata } = unitOutcome;
    return { type: 'unit-finished', at, executionId, attempt, output, patch, usage, metadata };
  }
  const { error, retryable, outcome, retryAfterMs, status, timedOutMs } = unitOutcome;
  return {
    type: 'unit-attempt-failed',
    at,
    executionId,
    attempt,
    error,
    retryable,
    outcome,
    retryAfterMs,
    ...(status === undefined ? {} : { status }),
    ...(timedOutMs === undefined ? {} : { isTimeout: true as const }),
  };
}
