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

/** `tellsClaims`: whether those who stand in the log of an imported run are shown as claimed. */
export function* notifiedEntries(
  entries: readonly LogEntry[],
  tellsClaims: boolean,
): Steps<readonly NotifiedEntry[]> {
  const all: NotifiedEntry[] = [];
  for (const entry of entries) {
    const { position, runId, namespace, workflowId } = entry;
    const definitionHash = entry.kind === 'purged' ? null : entry.definitionHash;
    const events: EventWithCursor[] = [];
    let bytes = BYTES_AROUND;
    const readable = readableEvents(entry);
    const last = readable.at(-1);
    // A run is imported by one append, which ends with the import itself.
    const claimedThrough = tellsClaims && last?.type === 'run-imported' ? last.seq - 1 : 0;
    for (const event of readable) {
      const shown = yield* shownOf({ runId, workflowId, claimedThrough }, event, 'public');
      if (shown === null) continue;
      events.push({ id: idOfCursor({ position, seq: event.seq }), event: shown.event });
      bytes += shown.bytes;
    }
    all.push({ position, runId, namespace, workflowId, definitionHash, events, bytes });
    yield;
  }
  return all;
}
