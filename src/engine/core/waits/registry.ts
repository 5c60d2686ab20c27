import type { Wait } from '../state/wait.js';
import { execution } from './execution.js';
import { gate } from './gate.js';
import { pause } from './pause.js';
import { timer } from './timer.js';
import type { EventKind, WaitKind } from './wait-kind.js';

/** Every kind of wait and its one file. What a kind adds to events, signals, commands and messages follows. */
export const WAIT_KINDS = {
  execution,
  gate,
  timer,
  pause,
};

type Kind = (typeof WAIT_KINDS)[keyof typeof WAIT_KINDS];
type ValueOf<T> = T[keyof T];
type EventIn<K> = K extends EventKind<infer E, infer _M> ? E : never;
type MessageIn<K> = K extends EventKind<infer _E, infer M> ? M : never;
type ValuesOf<T> = T extends object ? ValueOf<T> : never;
type SignalIn<H> = H extends (turn: never, signal: infer S) => void ? S : never;

export type WaitEvent = EventIn<ValuesOf<Kind['events']>>;
export type WaitMessage = MessageIn<ValuesOf<Kind['events']>>;
export type WaitSignal = SignalIn<ValuesOf<Kind['signals']>>;
export type WaitCommand = Exclude<ReturnType<Kind['asks']>, null>;

/** The kind of a wait, whichever it is. */
export function kindOf(wait: Wait): WaitKind<Wait, never, never, WaitCommand> {
  const kind = KINDS.get(wait.kind);
  if (kind === undefined)
    throw new Error(`There is no kind of wait named ${wait.kind}: the state is corrupt.`);
  return kind;
}

const KINDS: ReadonlyMap<string, WaitKind<Wait, never, never, WaitCommand>> = new Map(
  Object.entries(WAIT_KINDS as unknown as Record<string, WaitKind<Wait, never, never, WaitCommand>>),
);
