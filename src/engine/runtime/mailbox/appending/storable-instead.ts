import type { StoreError } from '../../../../errors/service-errors.js';
import type { Signal } from '../../../core/signal.js';
import { storedInsteadOf } from '../../../core/waits/kinds.js';
import type { InboxMessage } from '../inbox/inbox-message.js';

/**
 * The message to record instead of one that the store can never take, such as an outcome with a text over the limit: what
 * the kind of wait says, or the run is paused with the reason. Null when that replacement itself is what could not be stored.
 */
export function storableInstead(
  { signals }: InboxMessage,
  { message: reason }: StoreError,
  at: number,
): InboxMessage | null {
  const [signal] = signals;
  const instead = signal === undefined ? null : otherwise(signal, reason, at);
  return instead === null ? null : { signals: [instead], key: null, isKept: true, replies: [] };
}

function otherwise(signal: Signal, reason: string, at: number): Signal | null {
  const instead = storedInsteadOf(signal, reason);
  if (instead === null) return null;
  if (instead !== 'pauses-run' && 'type' in instead) return { ...instead, at };
  // Of the signals that are for no wait, this one alone names an execution.
  const named = signal.type === 'budget-exceeded' ? signal.executionId : null;
  const executionId = instead === 'pauses-run' ? named : instead.freezes;
  return { type: 'undecided', at, executionId, error: reason };
}
