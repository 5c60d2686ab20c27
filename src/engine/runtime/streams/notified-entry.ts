import type { Steps } from '../../core/steps.js';
import type { LogEntry } from '../../ports/store/commit-log.js';
import type { PublicEvent } from '../../public-events.js';
import { readableEvents } from '../followers/readable-events.js';
import { idOfCursor } from './event-cursor.js';
import { shownOf } from '../events/shown-event.js';

/** An event of any run, with the id of its cursor in the log of all runs. */
export interface EventWithCursor {
  readonly id: string;
  readonly event: PublicEvent;
}

/** One append, with the events of it that are shown, or a run that was purged. */
export interface NotifiedEntry {
  readonly position: number;
  readonly runId: string;
  readonly namespace: string;
  readonly workflowId: string;
  /** Null: the run was purged. */
  readonly definitionHash: string | null;
  readonly events: readonly EventWithCursor[];
  /** The approximate size of the events' JSON. */
  readonly bytes: number;
}

/** About how much an entry takes in addition to its events. */
const BYTES_AROUND = 100;

export function* notifiedEntries(entries: readonly LogEntry[]): Steps<readonly NotifiedEntry[]> {
  const all: NotifiedEntry[] = [];
  for (const entry of entries) {
    const { position, runId, namespace, workflowId } = entry;
    const definitionHash = entry.kind === 'purged' ? null : entry.definitionHash;
    const events: EventWithCursor[] = [];
    let bytes = BYTES_AROUND;
    for (const event of readableEvents(entry)) {
      const shown = yield* shownOf(entry, event, 'public');
      if (shown === null) continue;
      events.push({ id: idOfCursor({ position, seq: event.seq }), event: shown.event });
      bytes += shown.bytes;
    }
    all.push({ position, runId, namespace, workflowId, definitionHash, events, bytes });
    yield;
  }
  return all;
}
