import { UnreadableEventError } from '../../../errors/service-errors.js';
import { InvalidRequestError } from '../../../errors/request-errors.js';
import { deepFreeze } from '../../core/freeze.js';
import { decodeEvents } from '../../core/log/event-codec.js';
import { eventKind } from '../../core/log/event-kinds.js';
import { NEW_STATUSES } from '../../core/log/event-base.js';
import { faultIn, ifThere, instant, name, oneOf, shaped, whole } from '../../core/log/event-shape.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Steps } from '../../core/steps.js';
import type { ReadExport } from './read-export.js';

/** How many events are decoded before other work may run. */
const EVENTS_AT_ONCE = 64;
/** The most by which the clocks of two services may differ. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * The events of an export in their present versions. Throws an `InvalidRequestError` for one that this version cannot read,
 * that does not hold what its type holds, or that stands where no engine writes it. `now` (epoch ms): also for one with a
 * later instant.
 */
export function* logSteps(
  { header, events: stored }: ReadExport,
  now = Infinity,
): Steps<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  let before: RunEvent | null = null;
  for (const one of stored) {
    if (events.length % EVENTS_AT_ONCE === 0) yield;
    const event = decoded(one, header.runId);
    const field = faultOfEvent(event);
    if (field !== null) {
      throw new InvalidRequestError(
        `Event ${event.seq} of the export cannot be read: ${event.type} does not hold such a ${field}`,
      );
    }
    const problem = problemOfPosition(event, before) ?? problemOfInstant(event, now);
    if (problem !== null) throw new InvalidRequestError(`Event ${event.seq} of the export ${problem}`);
    events.push(event);
    before = event;
  }
  return events;
}

function decoded(stored: ReadExport['events'][number], runId: string): RunEvent {
  try {
    return deepFreeze(decodeEvents([stored], runId)[0] as RunEvent);
  } catch (error) {
    if (!(error instanceof UnreadableEventError)) throw error;
    throw new InvalidRequestError(
      `Event ${stored.seq} of the export is of type ${stored.type.slice(0, 100)}, version ${stored.v}, which this version of ` +
        'Flowgate cannot read: import it into the newer version that wrote it',
    );
  }
}

/** The field of the event that does not hold what its type has there; null: all do. Unknown fields are allowed. */
export function faultOfEvent(event: RunEvent): string | null {
  if (!instant(event.at)) return 'at';
  if (!isNewStatus(event.newStatus)) return 'newStatus';
  if (!isItem(event.item as unknown as JsonValue | undefined)) return 'item';
  return faultIn(eventKind(event.type).facts.shape, event as unknown as JsonObject);
}

const isItem = ifThere(shaped({ index: whole, key: name }));
const isNewStatus = ifThere(oneOf(...NEW_STATUSES));

/** With such an instant the run would be first in lists, and be kept, until then. */
function problemOfInstant({ at }: RunEvent, now: number): string | null {
  if (at <= now + MAX_AHEAD_MS) return null;
  return `is of ${new Date(at).toISOString()}, more than 5 minutes ahead: set the clocks of both services`;
}

/** What is wrong with the position of an event in the log, worded to follow a noun; null: nothing. */
function problemOfPosition(event: RunEvent, before: RunEvent | null): string | null {
  const { type } = event;
  if ((type === 'run-started') !== (before === null))
    return 'must be run-started if it is the first, and only then';
  if (before === null) return null;
  if (event.at < before.at) return 'is older than the one before it';
  if (type === 'run-forked' && before.type !== 'run-started')
    return 'is run-forked, which stands second or nowhere';
  if (before.type === 'run-imported' && type !== 'run-imported')
    return 'comes after the import that ended the log';
  return null;
}
