import type { LOG_ORIGINS } from '../../vocabulary.js';

/** Where a flow node stands in the document: a JSON pointer such as `/spec/flow/order/0`. */
export type NodePath = string;

/**
 * Which instance of the node it is: `''` is the run's root scope; every branch of a parallel, pass of a
 * foreach and dag node has one of its own (see `state/scope.ts`).
 */
export type ScopeId = string;

/** What every event of the log carries. */
export interface EventBase {
  /** The version of this type's payload (see `event-codec.ts`). */
  readonly v: number;
  /** Counts from 1 within the run. */
  readonly seq: number;
  /** Epoch ms; never less than that of the event before. */
  readonly at: number;
  /**
   * The run moves again with this event, or stands from it on, the last one of its turn: clients are told so with it. Absent:
   * it stands or moves as before, or its end says so. Builds before this field never wrote it.
   */
  readonly newStatus?: NewStatus;
  /** The item of the pass that it belongs to, the innermost that has a name; absent: it belongs to none. */
  readonly item?: NamedItem;
}

/** An item of a foreach with `itemKey`. */
export interface NamedItem {
  /** Its place in the list; counts from 0. */
  readonly index: number;
  readonly key: string;
}

/** What becomes of a run between its start and its end. */
export type NewStatus = (typeof NEW_STATUSES)[number];

export const NEW_STATUSES = ['paused', 'running'] as const;

/** Any event, for code that does not know its type. */
export interface AnyEvent extends EventBase {
  readonly type: string;
}

/** A location in a run: the node, and the scope that it runs in. */
export interface Location {
  readonly path: NodePath;
  readonly scope: ScopeId;
}

/** What a run spent. Tokens are counts; cost is in the currency that the units report. */
export interface Usage {
  readonly tokens: number;
  readonly cost: number;
}

/** An event before the log gave it its seq and time, and its turn a new status. */
export type Unstamped<E> = E extends AnyEvent ? Omit<E, 'v' | 'seq' | 'at' | 'newStatus'> : never;

/** The run that a child run belongs to. */
export interface RunParent {
  readonly runId: string;
  /** Seq of the event with which the parent began it first (`child-started`). */
  readonly executionId: number;
  /** How many runs the child is nested in; absent: 1. */
  readonly depth?: number;
}

/** What made a run. */
export interface Origin {
  readonly type: (typeof LOG_ORIGINS)[number];
}
