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

export type WaitKindName = keyof typeof WAIT_KINDS;
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

type OmitAt<S> = S extends unknown ? Omit<S, 'at'> : never;
type Instead = 'pauses-run' | OmitAt<WaitSignal> | { readonly freezes: number } | null;
type AnyUnstorable = 'pauses-run' | ((signal: { readonly type: string }, reason: string) => Instead);

const UNSTORABLE = new Map<string, AnyUnstorable>(
  Object.values(WAIT_KINDS).flatMap(({ unstorable }) =>
    Object.entries(unstorable as unknown as Readonly<Record<string, AnyUnstorable>>),
  ),
);

/** What is recorded instead of a signal that cannot be stored: what `WaitKind.unstorable` says, if it is one for a wait. */
export function storedInsteadOf(signal: { readonly type: string }, reason: string): Instead {
  const instead = UNSTORABLE.get(signal.type) ?? 'pauses-run';
  return instead === 'pauses-run' ? instead : instead(signal, reason);
}

const KINDS = new Map<string, AnyKind>(
  Object.values(WAIT_KINDS as unknown as Readonly<Record<string, AnyKind>>).map((kind) => [kind.kind, kind]),
);
