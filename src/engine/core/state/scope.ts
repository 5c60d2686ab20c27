import type { PersistentMap } from './collections/persistent-map.js';
import type { NodePath, ScopeId, Usage } from '../log/event-base.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { Failure } from '../log/failure.js';
import type { ReachedDebt } from './debts/debts-by-age.js';

/**
 * A scope is the shared state at its opening plus its own writes. The parent's thread waits while child scopes are open, so
 * "the state at its opening" is the parent as it stands: nothing is copied.
 *
 * Ids nest: `''` is the root, `<parent>><path of the fan-out>#<index>` a branch, pass or dag node. Node paths never hold `>`
 * or `#` (see `node-path.ts`), so an id says all there is to know of a scope's location.
 */
export interface Scope {
  /** Where the scope's one thread of control stands. */
  readonly cursor: Cursor;
  /** Own writes only; see `state-view.ts` for what a unit in the scope reads. */
  readonly writes: PersistentMap<string, Write>;
  /** The characters of its writes, and its overhead (see `overhead.ts`). */
  readonly chars: number;
  /** Passes that ended, by the path of each loop that the thread is inside of. */
  readonly passes: PersistentMap<NodePath, number>;
  /** What is left to hand out, by the path of each delegation that the thread is inside of. */
  readonly rounds: PersistentMap<NodePath, Round>;
  /** By path, each try that the thread is inside of. */
  readonly tries: PersistentMap<NodePath, OpenTry>;
  /** A part of the run, from this scope on, closes before its end; null: none does. */
  readonly closing: Closing | null;
  /** What the item of its pass is called; null: it has no name. */
  readonly key: string | null;
}

/** A try that was entered and not left. */
export interface OpenTry {
  /** Seq of the event that entered it; it is the id of its deadline, too. In a fork it may be 0 or less. */
  readonly seq: number;
  /** Ms from its entry to its deadline; null: it has none. */
  readonly lengthMs: number | null;
  /** The part of it that runs. */
  readonly stage: 'do' | 'catch' | 'finally';
  /** What its `catch` and its `finally` know to have failed; null: nothing. */
  readonly error: Failure | null;
  /** What follows its `finally`; null: that has not begun. */
  readonly exit: TryExit | null;
}

/** The flow around continues; or it fails; or whoever closes what is around the try closes the next one. */
export type TryExit =
  | { readonly kind: 'leave'; readonly metadata: JsonObject | null }
  | { readonly kind: 'fail' }
  | { readonly kind: 'unwind' };

/**
 * What is open inside of a node closes before its end: first each `finally` that is open there runs, sequentially, the
 * innermost first and siblings as they are declared. No other thread inside moves any more.
 */
export interface Closing {
  /** The node, in the scope that has this; '': all of the run. */
  readonly path: NodePath | '';
  readonly reason: ClosingReason;
  /** What failed; null: nothing did. A `finally` that fails replaces it. */
  readonly error: Failure | null;
  /** What was done inside since this event is undone; absent: nothing is. */
  readonly since?: number;
  /** The branch that came first in a race: what was done in it stays done. Absent: nothing does. */
  readonly except?: ScopeId;
  /** What was done is being undone; `reached` is never stored: null is the newest of what was done. Absent: it is not, yet. */
  readonly undoing?: { readonly reached: ReachedDebt | null };
  /** Something around it closes as well: it undoes what was done, and nothing else follows it. */
  readonly isOvertaken?: true;
  /** What the scope closes as well, around this; absent: nothing. */
  readonly around?: Closing;
}

export type ClosingReason = (typeof CLOSING_REASONS)[number];

/**
 * A failure inside; the deadline of a try; the time of the run; its cancel; a branch of a race that came first; a run that is
 * over, of which what could not be undone is tried again.
 */
export const CLOSING_REASONS = ['failure', 'timeout', 'overrun', 'cancel', 'race', 'again'] as const;

/** A value of the shared state and the event that wrote it, which also orders the keys. */
export interface Write {
  readonly seq: number;
  /** Its position among the writes of that event. */
  readonly index: number;
  /** About how many characters it takes as JSON, its key included. */
  readonly chars: number;
  readonly value: JsonValue;
}

/** One round of a delegation. */
export interface Round {
  /** Counts from 1. */
  readonly number: number;
  readonly delegations: readonly JsonValue[];
  /** How many of them were handed out. */
  readonly next: number;
}

/** A node whose child scopes are open. Keyed by `<scope>><path>`. */
export interface FanOut {
  /** The items of a foreach; null for other fan-outs. */
  readonly items: readonly JsonValue[] | null;
  /** About how many characters the items take. */
  readonly chars: number;
  readonly opened: number;
  readonly closed: number;
  /** How many of its branches failed; absent: nobody counts them. */
  readonly failures?: number;
  /** Of a race that fails: the branch with which it does. Absent: it does not, or it is no race. */
  readonly decidedBy?: number;
  /** No branch of this index or above was opened: those of a dag open in any order. */
  readonly end: number;
  /** Seq of the event that opened it, where what is done in it may be undone; absent: it is not. In a fork it may be 0 or less. */
  readonly since?: number;
}

/** Child scopes of the node are open. */
export interface OpenFanOut {
  readonly phase: 'forked';
  readonly path: NodePath;
}

/** Where a thread stands: at one node, in one phase. */
export type Cursor =
  /** The node is next; nothing of it has happened. */
  | { readonly phase: 'entering'; readonly path: NodePath }
  /** A unit whose `if` held and whose `pause: before` is lifted, or that is tried again under an old key. */
  | { readonly phase: 'admitted'; readonly path: NodePath; readonly retry: Retry | null }
  /** Something outside has to happen: the wait of that id is open. */
  | {
      readonly phase: 'waiting';
      readonly path: NodePath;
      readonly id: number;
      /** What is waited for undoes what was done in these child scopes, among others; absent: none are open. */
      readonly over?: OpenFanOut;
    }
  /** Child scopes are open. */
  | OpenFanOut
  /** The child scopes were merged. */
  | { readonly phase: 'joined'; readonly path: NodePath }
  /** The node ended; its `pause: after` is still to come. */
  | { readonly phase: 'ended'; readonly path: NodePath; readonly metadata: JsonObject | null }
  /** The node ended and was left; its parent continues. */
  | { readonly phase: 'left'; readonly path: NodePath; readonly metadata: JsonObject | null }
  /** A router, switch or delegation chose; that branch is next. */
  | { readonly phase: 'chosen'; readonly path: NodePath; readonly branch: string; readonly task: JsonValue }
  /** A loop read its condition; the next pass, or what follows, is next. */
  | { readonly phase: 'read'; readonly path: NodePath; readonly again: boolean }
  /** Inside of a try, before the part of it that its stage says. */
  | { readonly phase: 'trying'; readonly path: NodePath }
  /** What the thread was about to do closed early, and nothing follows in its scope. */
  | { readonly phase: 'unwound'; readonly path: NodePath; readonly over?: OpenFanOut }
  /** A delegation took up a round (or found none). */
  | { readonly phase: 'delegating'; readonly path: NodePath }
  /** The unit failed permanently; a resumed run tries it again. */
  | {
      readonly phase: 'failed';
      readonly path: NodePath;
      readonly error: string;
      readonly retry: Retry | null;
      /** Absent: the workflow catches nothing. */
      readonly facts?: FailureFacts;
    }
  /** The thread came to its end; `failedAt` is where a resumed run takes it up again, if it does. */
  | {
      readonly phase: 'closed';
      readonly path: NodePath;
      readonly error: string | null;
      readonly failedAt: Cursor | null;
      /** Absent: nobody reads them. */
      readonly facts?: FailureFacts;
    };

/** What a `catch` reads of a failure beyond its text and its location. */
export type FailureFacts = Pick<Failure, 'code' | 'unitId' | 'attempts' | 'status' | 'unwound' | 'cause'>;

/** What a new execution takes over from one whose outcome is unknown. */
export interface Retry {
  readonly key: number;
  /** Absent: the run's input. */
  readonly input?: JsonValue;
  readonly settings: JsonObject | null;
  /** The failed child run that continues, if it was one. */
  readonly child?: ChildToContinue;
}

/** A child run that failed with its parent, and is resumed with it. */
export interface ChildToContinue {
  readonly childRunId: string;
  readonly workflowId: string;
  /** The part of its usage that the parent has counted already. */
  readonly counted: Usage;
  /** Seq of its last event when the parent was notified of the failure. */
  readonly toldSeq: number;
}

export const ROOT_SCOPE: ScopeId = '';

export function fanOutKey(scope: ScopeId, path: NodePath): string {
  return `${scope}>${path}`;
}

export function childScope(fanOut: string, index: number): ScopeId {
  return `${fanOut}#${index}`;
}

/** How many scopes the scope is nested in; 0 for the root. */
export function depthOf(scope: ScopeId): number {
  let depth = 0;
  for (let at = scope.indexOf('>'); at !== -1; at = scope.indexOf('>', at + 1)) depth += 1;
  return depth;
}

/** The location of a scope other than the root's. */
export function locationOfScope(scope: ScopeId): {
  readonly parent: ScopeId;
  readonly path: NodePath;
  readonly index: number;
  readonly fanOut: string;
} {
  const hash = scope.lastIndexOf('#');
  const arrow = scope.lastIndexOf('>');
  return {
    parent: scope.slice(0, arrow),
    path: scope.slice(arrow + 1, hash),
    index: Number(scope.slice(hash + 1)),
    fanOut: scope.slice(0, hash),
  };
}

/** Where a thread stands that is tried again: nothing of the node has happened, but its `if` and its pause. */
export function admitted(path: NodePath, retry: Retry | null = null): Cursor {
  return { phase: 'admitted', path, retry };
}

/** Where a thread stands that waited for what undoes a call, and does not any more; null: it waited for something else. */
export function overFanOut({ path, over }: Cursor & { readonly phase: 'waiting' }): Cursor | null {
  return over === undefined ? null : { phase: 'unwound', path, over };
}
