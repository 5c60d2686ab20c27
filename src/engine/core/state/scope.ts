import type { PersistentMap } from './persistent-map.js';
import type { NodePath, ScopeId, Usage } from '../log/event-base.js';
import type { JsonObject, JsonValue } from '../json.js';

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
}

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
  /** No branch of this index or above was opened: those of a dag open in any order. */
  readonly end: number;
}

/** Where a thread stands: at one node, in one phase. */
export type Cursor =
  /** The node is next; nothing of it has happened. */
  | { readonly phase: 'entering'; readonly path: NodePath }
  /** A unit whose `if` held and whose `pause: before` is lifted, or that is tried again under an old key. */
  | { readonly phase: 'admitted'; readonly path: NodePath; readonly retry: Retry | null }
  /** Something outside has to happen: the wait of that id is open. */
  | { readonly phase: 'waiting'; readonly path: NodePath; readonly id: number }
  /** Child scopes are open. */
  | { readonly phase: 'forked'; readonly path: NodePath }
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
  /** A delegation took up a round (or found none). */
  | { readonly phase: 'delegating'; readonly path: NodePath }
  /** The unit failed permanently; a resumed run tries it again. */
  | {
      readonly phase: 'failed';
      readonly path: NodePath;
      readonly error: string;
      readonly retry: Retry | null;
    }
  /** The thread came to its end; `failedAt` is where a resumed run takes it up again, if it does. */
  | {
      readonly phase: 'closed';
      readonly path: NodePath;
      readonly error: string | null;
      readonly failedAt: Cursor | null;
    };

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
