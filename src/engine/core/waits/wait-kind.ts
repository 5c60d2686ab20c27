import type { AnyEvent, ScopeId, Unstamped } from '../log/event-base.js';
import type { JsonValue } from '../json.js';
import type { EventFacts } from '../log/event-facts.js';
import type { Plan } from '../plan/plan.js';
import type { Cursor } from '../state/scope.js';
import type { Draft, RunState } from '../state/state.js';
import { byId, type Wait } from '../state/wait.js';

/** Makes the payload of one version out of that of the version before. Fields that it does not know are kept. */
export type Upcast = (stored: { readonly [key: string]: JsonValue }) => { readonly [key: string]: JsonValue };

/** One line of a run's readable history. */
export type Message = {
  readonly type: string;
  /** Epoch ms. */
  readonly timestamp: number;
  /** The item of the pass of a foreach with `itemKey` that it is about, and its place; absent: it is about none. */
  readonly index?: number;
  readonly itemKey?: string;
};

/** All there is to know of one type of event. */
export interface EventKind<E extends AnyEvent, M extends Message = never> {
  /** What the shell has to know of it. */
  readonly facts: EventFacts<E>;
  /** The upcasts to version 2, to version 3 and so on; this build writes the version of the last one, or 1. */
  readonly upcasts: readonly Upcast[];
  /** Whether a run can be resumed from the state after it: it ended a unit or stopped for a person. */
  readonly isCheckpoint?: true;
  /** It changes nothing of what is shown of a run that has ended. */
  readonly isNote?: true;
  /**
   * Never refuses, never computes what is not in the event. `baseState`: for a rewind, the state that it goes back to; for a
   * fork, the state of the other run.
   */
  fold(draft: Draft, event: E, baseState: RunState | undefined): void;
  /** What `approximateChars` gives, without a walk over its fields: for the types that most logs are made of. */
  chars?(event: E): number;
  /** The event's messages for a reader. */
  messages?(event: E, runId: string): readonly M[];
  /** The waits that it opened, changed or closed, but for those that `sweeps` and `restates` are about. */
  touches?(event: E): readonly number[];
  /** Whether it may have closed waits that it does not name, or taken from them what they require. */
  sweeps?(event: E): boolean;
  /** Whether waits that it does not name may require commands that they did not before: `pending` has to be read anew. */
  restates?(event: E): boolean;
  /**
   * How many scopes, waits and branches folding it looks at besides its own. Absent: none, or all of the run's where it
   * sweeps or restates.
   */
  looks?(state: RunState, event: E): number;
  /** Why the run is over, if it failed or was cancelled with the event: the `error` of its record. Absent: it did not. */
  failure?(event: E): string;
}

export type EventKinds<E extends AnyEvent, M extends Message = never> = {
  readonly [T in E['type']]: EventKind<Extract<E, { readonly type: T }>, M>;
};

/** The turn as a wait sees it: `E` are the events of its own kind. */
export interface WaitTurn<E extends AnyEvent> {
  readonly plan: Plan;
  /** With the events of the turn folded in. */
  readonly state: RunState;
  /** Epoch ms. */
  readonly at: number;
  /** Scopes whose thread may have something to do after the signal. */
  readonly ready: { add(scope: ScopeId): void };
  emit(event: Unstamped<E>): void;
  /** Every thread may have something to do. */
  visitAll(): void;
}

/**
 * `pauses-run`: the run is paused with the reason. Else another signal, the execution that a pause with the reason freezes,
 * or null: there is nothing that could be stored in its place.
 */
export type Unstorable<S, T> =
  'pauses-run' | ((signal: Signalled<S, T>, reason: string) => S | { readonly freezes: number } | null);

/** A signal of type `T`, with its instant. */
export type Signalled<S, T> = Extract<S, { readonly type: T }> & { readonly at: number };

/**
 * One kind of wait, in one file: what opens and closes it, what it requires of the shell, what becomes of its thread. `W` is
 * the wait, `E` its events, `S` its signals, `C` its command, `M` its messages.
 */
export interface WaitKind<
  W extends Wait,
  E extends AnyEvent,
  S extends { readonly type: string } = never,
  C extends { readonly type: string } = never,
  M extends Message = never,
> {
  readonly kind: W['kind'];
  readonly events: EventKinds<E, M>;
  /** What `decide` does with the signals that are for it. */
  readonly signals: { readonly [T in S['type']]: (turn: WaitTurn<E>, signal: Signalled<S, T>) => void };
  /** What is recorded instead of a signal that the store can never take, such as an outcome with a text over the limit. */
  readonly unstorable: { readonly [T in S['type']]: Unstorable<S, T> };
  /** `dueAt` has come. Without this, the shell does what has to be done, by the wait's command. */
  due?(turn: WaitTurn<E>, wait: W): void;
  /** What has to be done outside of the core for the run to continue; null: nothing now. */
  requiredCommands(wait: W): C | null;
  /**
   * The branch around it was parked, for a resumed run to take it up again: where its thread stands. Null: it was
   * not what its thread stood at. The wait is closed in any case.
   */
  parked(wait: W): Cursor | null;
  /**
   * The run went back to the state after event `toSeq`, in which the wait was open. `stays`: it remains open. Else it is
   * closed, and the result is as for `parked`.
   */
  rewound(wait: W, toSeq: number): Cursor | 'stays' | null;
  /**
   * A fork takes over the thread that stood at the wait, which is not open there: where the thread stands, so that what was
   * open begins anew; null as in `parked`. `passed`: the id of the wait at which the fork begins.
   */
  forked(wait: W, passed: number | null): Cursor | null;
  /** What is waited for ends when the run fails: the wait is closed then, and its thread stands as for `parked`. */
  readonly endsWithRun?: true;
}

/** The open wait of that id, if it is of that kind. */
export function waitOf<W extends Wait>(state: RunState, kind: W['kind'], id: number): W | undefined {
  const wait = state.waits.get(id);
  return wait?.kind === kind ? (wait as W) : undefined;
}

/** All open waits of a kind, by id. Costs as much as there are waits. */
export function waitsOf<W extends Wait>(state: Pick<RunState, 'waits'>, kind: W['kind']): readonly W[] {
  const waits: W[] = [];
  state.waits.forEach((wait) => {
    if (wait.kind === kind) waits.push(wait as W);
  });
  return byId(waits);
}
