import { UnreadableEventError } from '../../../errors/service-errors.js';
import type { JsonValue } from '../json.js';
import type { AnyEvent } from './event-base.js';
import type { RunEvent } from './event.js';
import { knownKind } from './event-kinds.js';

/**
 * The only reader of stored events. Events of an older build are upcast, version by version, to what this one folds; unknown
 * fields stay as they are. Events of a newer build are refused, because folding them would lose what is new.
 *
 * Throws an `UnreadableEventError`. Returns the same array where every event is of its present version.
 */
export function decodeEvents(stored: readonly AnyEvent[], runId: string): readonly RunEvent[] {
  let decoded: RunEvent[] | null = null;
  for (let i = 0; i < stored.length; i++) {
    const event = stored[i] as AnyEvent;
    const present = decodeEvent(event, runId);
    if (present !== event) decoded ??= stored.slice(0, i) as RunEvent[];
    decoded?.push(present);
  }
  return decoded ?? (stored as readonly RunEvent[]);
}

function decodeEvent(event: AnyEvent, runId: string): RunEvent {
  // The stored value is no event at all: without this check, folding the log would fail on it.
  if (typeof event !== 'object' || event === null) {
    throw new UnreadableEventError(
      `The log of the run ${runId} holds something that is no event: restore the data folder from a backup.`,
    );
  }
  const kind = knownKind(event.type);
  if (kind === undefined || !Number.isInteger(event.v) || event.v < 1 || event.v > kind.version) {
    throw new UnreadableEventError(
      `Event ${event.seq} of the run ${runId} is of type ${event.type}, version ${event.v}, which this version of ` +
        'Flowgate cannot read: start the newer version that wrote it.',
    );
  }
  if (event.v === kind.version) return event as RunEvent;
  let payload = event as unknown as { readonly [key: string]: JsonValue };
  for (const upcast of kind.upcasts.slice(event.v - 1)) payload = upcast(payload);
  return { ...payload, v: kind.version } as unknown as RunEvent;
}

/**
 * What this build may write into a log that an older build could not read: a type of event, a version of one, a meaning. Whoever
 * adds one raises this by one. Builds that share a store compare it: what one of them may have written to is not taken by an
 * older one.
 */
export const LOG_REVISION = 2;
