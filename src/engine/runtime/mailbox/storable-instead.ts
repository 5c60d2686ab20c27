import type { StoreError } from '../../../errors/service-errors.js';
import type { Signal } from '../../core/signal.js';
import type { InboxMessage } from './inbox-message.js';

/**
 * The message to record instead of one that the store can never take, such as an outcome with a text over the limit: the
 * unit failed, or the run is paused with the reason. Null when that replacement itself is what could not be stored.
 */
export function storableInstead(
  { signals }: InboxMessage,
  { message }: StoreError,
  at: number,
): InboxMessage | null {
  const [signal] = signals;
  const instead = signal === undefined ? null : otherwise(signal, message, at);
  return instead === null ? null : { signals: [instead], key: null, isKept: true, replies: [] };
}

function otherwise(signal: Signal, reason: string, at: number): Signal | null {
  switch (signal.type) {
    case 'unit-finished':
      return {
        type: 'unit-attempt-failed',
        at,
        executionId: signal.executionId,
        attempt: signal.attempt,
        error: `its answer cannot be stored: ${reason}`,
        retryable: false,
        outcome: 'unknown',
        retryAfterMs: null,
      };
    case 'child-ended':
      return {
        type: 'child-refused',
        isLost: true,
        at,
        childRunId: signal.childRunId,
        key: signal.key,
        error: `what the run ${signal.childRunId} came to cannot be stored: ${reason}`,
      };
    case 'undecided':
      return null;
    case 'unit-attempt-failed':
    case 'budget-exceeded':
      return { type: 'undecided', at, executionId: signal.executionId, error: reason };
    default:
      return { type: 'undecided', at, executionId: null, error: reason };
  }
}
