import { approximateChars } from '../json-size.js';
import { CORE_EVENTS } from '../fold/core-events.js';
import { WAIT_KINDS } from '../waits/registry.js';
import type { EventKind, Message } from '../waits/wait-kind.js';
import type { RunState } from '../state/state.js';
import type { NewEvent, RunEvent } from './event.js';

/** A type of event with its defaults filled in, since it is read several times for each event. */
export type KnownKind = Required<
  Omit<EventKind<RunEvent, Message>, 'isCheckpoint' | 'isNote' | 'looks' | 'failure'>
> & {
  /** The version of the payload that this build writes and folds. */
  readonly version: number;
  readonly isCheckpoint: boolean;
  readonly isNote: boolean;
  readonly looks: (state: RunState, event: RunEvent) => number;
  readonly failure: (event: RunEvent) => string | null;
};

const NOTHING: readonly never[] = [];
const NO = (): boolean => false;

/** Every type of event: the core's own, and those of the kinds of waits. */
const KINDS = new Map<string, KnownKind>(
  [CORE_EVENTS, ...Object.values(WAIT_KINDS).map(({ events }) => events)].flatMap((events) =>
    Object.entries(events as unknown as Readonly<Record<string, EventKind<RunEvent, Message>>>).map(
      ([type, kind]) => [type, spelledOut(kind)] as const,
    ),
  ),
);

function spelledOut(kind: EventKind<RunEvent, Message>): KnownKind {
  const sweeps = kind.sweeps ?? NO;
  const restates = kind.restates ?? NO;
  return {
    facts: kind.facts,
    version: kind.upcasts.length + 1,
    upcasts: kind.upcasts,
    isCheckpoint: kind.isCheckpoint ?? false,
    isNote: kind.isNote ?? false,
    fold: kind.fold,
    chars: kind.chars === undefined ? approximateChars : withStamps(kind.chars),
    messages: kind.messages ?? (() => NOTHING),
    touches: kind.touches ?? (() => NOTHING),
    sweeps,
    restates,
    looks: kind.looks ?? ((state, event) => (sweeps(event) || restates(event) ? sizeOf(state) : 0)),
    failure: kind.failure ?? (() => null),
  };
}

/** What all events may have is added to what a type counts of its own fields. */
function withStamps(chars: (event: RunEvent) => number): (event: RunEvent) => number {
  return (event) => {
    const { newStatus, item } = event;
    let all = chars(event);
    if (newStatus !== undefined) all += approximateChars({ newStatus }) - CHARS_OF_NO_FIELD;
    if (item !== undefined) all += approximateChars({ item }) - CHARS_OF_NO_FIELD;
    return all;
  };
}

const CHARS_OF_NO_FIELD = approximateChars({});

function sizeOf({ scopes, waits, forks }: RunState): number {
  return scopes.size + waits.size + forks.size;
}

/** Whether the engine came to the event itself, by its threads; else it came from outside. */
export function isEngineEvent(event: RunEvent, before: RunState): boolean {
  const { isEngineEvent: is } = eventKind(event.type).facts;
  return typeof is === 'boolean' ? is : is(event, before);
}

/** Whether the event may change which gates are open. */
export function movesGates(event: RunEvent): boolean {
  const { movesGates: moves } = eventKind(event.type).facts;
  return typeof moves === 'boolean' ? moves : moves(event);
}

export function eventKind(type: RunEvent['type']): KnownKind {
  const kind = knownKind(type);
  if (kind === undefined) throw new Error(`There is no event of type ${type}: decode stored events first.`);
  return kind;
}

/** Undefined for a type that this build does not know. */
export function knownKind(type: string): KnownKind | undefined {
  return KINDS.get(type);
}

/**
 * Gives an event its seq and time, in the present version of its type. The event must be the caller's own: it is stamped in
 * place, which is much of a turn's speed.
 */
export function stampEvent(
  event: NewEvent,
  seq: number,
  at: number,
  { version }: KnownKind = eventKind(event.type),
): RunEvent {
  const stamped = event as { -readonly [K in 'v' | 'seq' | 'at']?: number };
  stamped.v = version;
  stamped.seq = seq;
  stamped.at = at;
  return stamped as RunEvent;
}
