import type { RunMessage } from '../../core/log/messages.js';
import type { RunState } from '../../core/state/state.js';
import type { RunRow } from '../../ports/store/run-row.js';

/**
 * Up to which event (seq) of a run's log those who stand in it as `by` are only claimed: all of a run that was imported but its last
 * event, the import itself, which this service wrote. The log stays as it was sent; what is shown of it says so. 0: none is.
 */
export function claimedThrough(run: RunState | RunRow): number {
  if ('lastSeq' in run) return run.origin === 'import' ? run.lastSeq - 1 : 0;
  return run.isImported ? run.seq - 1 : 0;
}

/** The messages of an imported run, with `claimed` where they say who did something. */
export function claimedMessages(messages: readonly RunMessage[]): readonly RunMessage[] {
  return messages.map((message) =>
    'by' in message || 'responder' in message ? { ...message, claimed: true } : message,
  );
}
