import type { JsonObject } from '../json.js';
import type { Actor } from './actor.js';

export const PUBLIC_EVENT_TYPES = [
  'run.started',
  'run.forked',
  'run.paused',
  'run.resumed',
  'run.rewound',
  'run.completed',
  'run.failed',
  'run.cancelled',
  'unit.scheduled',
  'unit.retrying',
  'unit.finished',
  'unit.failed',
  'unit.skipped',
  'compensation.started',
  'compensation.failed',
  'compensation.finished',
  'state.written',
  'gate.opened',
  'gate.decided',
  'gate.closed',
] as const;

export type PublicEventType = (typeof PUBLIC_EVENT_TYPES)[number];

/**
 * The public form of an event, before anything is left out for its size. Every field is named where it is made, so a field
 * that is added to an event stays private until it is named there, too. It never holds a unit's settings, and of people no
 * more than `shownActor`.
 */
export interface PublicForm {
  readonly type: PublicEventType;
  readonly data: JsonObject;
}

/** Who it was, and how that is known: not the account, which the host may know by something that is no name. */
export function shownActor({ id, name, via, auth }: Actor): JsonObject {
  return { id, ...(name === undefined ? {} : { name }), via, auth };
}
