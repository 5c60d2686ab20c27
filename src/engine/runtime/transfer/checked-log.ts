import { UnreadableEventError } from '../../../errors/service-errors.js';
import { InvalidRequestError } from '../../../errors/request-errors.js';
import { deepFreeze } from '../../core/freeze.js';
import { decodeEvents } from '../../core/log/event-codec.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Steps } from '../../core/steps.js';
import { faultOfEvent } from './event-shapes.js';
import type { ReadExport } from './read-export.js';

/** Between two looks at whoever else waits. */
const EVENTS_AT_ONCE = 64;
/** As far as the clocks of two services may lie apart. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * The events of an export in their present versions. Throws an `InvalidRequestError` for one that this version cannot
 * read, that does not hold what its type holds, or that stands where no engine writes it. `now` (epoch ms): also for one that
 * is said to have come later.
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
    const problem = problemOfPlace(event, before) ?? problemOfInstant(event, now);
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

/** Whoever believed it would have the run first in lists, and kept, for as long as it says. */
function problemOfInstant({ at }: RunEvent, now: number): string | null {
  if (at <= now + MAX_AHEAD_MS) return null;
  return `is of ${new Date(at).toISOString()}, more than 5 minutes ahead: set the clocks of both services`;
}

/** After a noun; null: nothing is wrong with it. */
function problemOfPlace(event: RunEvent, before: RunEvent | null): string | null {
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
