import { CORE_EVENTS } from '../fold/core-events.js';
import { WAIT_KINDS } from '../waits/registry.js';
import type { EventKind, Message } from '../waits/wait-kind.js';
import type { NewEvent, RunEvent } from './event.js';

type AnyKind = EventKind<RunEvent, Message>;

/** Every type of event: the core's own, and those of the kinds of waits. */
const KINDS: ReadonlyMap<string, AnyKind> = new Map(
  [CORE_EVENTS, ...Object.values(WAIT_KINDS).map(({ events }) => events)].flatMap(
    (events) => Object.entries(events) as unknown as [string, AnyKind][],
  ),
);

export function eventKind(type: RunEvent['type']): AnyKind {
  const kind = knownKind(type);
  if (kind === undefined) throw new Error(`There is no event of type ${type}: decode stored events first.`);
  return kind;
}

/** Undefined for a type that this build does not know. */
export function knownKind(type: string): AnyKind | undefined {
  return KINDS.get(type);
}

/** The version of a type's payload that this build writes and folds. */
export function versionOf({ upcasts }: Pick<AnyKind, 'upcasts'>): number {
  return upcasts.length + 1;
}

/**
 * Gives an event its place and time, in the present version of its type. Takes it over: it must be the caller's own,
 * since stamping it in place is much of a turn's speed.
 */
export function stampEvent(event: NewEvent, seq: number, at: number): RunEvent {
  const stamped = event as { -readonly [K in 'v' | 'seq' | 'at']?: number };
  stamped.v = versionOf(eventKind(event.type));
  stamped.seq = seq;
  stamped.at = at;
  return stamped as RunEvent;
}
