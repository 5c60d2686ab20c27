import type { Wait } from '../state/wait.js';
import { WAIT_KINDS } from './registry.js';
import type { WaitKind } from './wait-kind.js';

/** What the kinds of waits, whichever there are, add to the events, signals, commands and messages of a run. */
type Kind = (typeof WAIT_KINDS)[keyof typeof WAIT_KINDS];
type ValueIn<T> = T extends object ? T[keyof T] : never;
type EventIn<K> = K extends { fold: (draft: never, event: infer E, baseState: never) => void } ? E : never;
type MessageIn<K> = K extends { messages?: (event: never, runId: string) => readonly (infer M)[] }
  ? M
  : never;
type SignalIn<H> = H extends (turn: never, signal: infer S) => void ? S : never;

export type WaitEvent = EventIn<ValueIn<Kind['events']>>;
export type WaitMessage = MessageIn<ValueIn<Kind['events']>>;
export type WaitSignal = SignalIn<ValueIn<Kind['signals']>>;
export type WaitCommand = Exclude<ReturnType<Kind['requiredCommands']>, null>;

type AnyKind = WaitKind<Wait, never, never, WaitCommand>;

/** The kind of a wait, whichever it is. */
export function kindOf(wait: Wait): AnyKind {
  const kind = KINDS.get(wait.kind);
  if (kind === undefined)
    throw new Error(`There is no kind of wait named ${wait.kind}: the state is corrupt.`);
  return kind;
}

/** Whether the shell acts upon the wait once it is due, by its command: no `timer-due` is needed. */
export function isActedUpon(wait: Wait): boolean {
  return kindOf(wait).due === undefined;
}

const KINDS = new Map<string, AnyKind>(
  Object.values(WAIT_KINDS as unknown as Readonly<Record<string, AnyKind>>).map((kind) => [kind.kind, kind]),
);
