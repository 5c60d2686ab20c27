import { UnreadableEventError } from '../../../errors/service-errors.js';
import { decodeEvents } from '../../core/log/event-codec.js';
import type { RunEvent } from '../../core/log/event.js';
import type { LogEntry } from '../../ports/store/commit-log.js';

/**
 * The events of an entry; none of a run that was purged, and none of an append that a newer version wrote, as waiting for that
 * version would hold up all other runs.
 */
export function readableEvents(
  entry: LogEntry,
  onUnreadable: (error: UnreadableEventError) => void = () => undefined,
): readonly RunEvent[] {
  if (entry.kind === 'purged') return [];
  try {
    return decodeEvents(entry.events, entry.runId);
  } catch (error) {
    if (!(error instanceof UnreadableEventError)) throw error;
    onUnreadable(error);
    return [];
  }
}
