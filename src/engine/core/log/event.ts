import type { JsonObject, JsonValue } from '../json.js';
import type { Actor } from './actor.js';

/** Where a flow node stands in the document: a JSON pointer such as `/spec/flow/order/0`. */
export type NodePath = string;

/**
 * Which instance of the node it is: `''` is the run's root scope; every branch of a parallel, pass of a
 * foreach and dag node has one of its own (see `scope.ts`).
 */
export type ScopeId = string;

/** What every event of the log carries. */
interface EventBase {
  /** The version of this type's payload (see `event-codec.ts`). */
  readonly v: number;
  /** Counts from 1 within the run. */
  readonly seq: number;
  /** Epoch ms; never less than that of the event before. */
  readonly at: number;
}

/** A place in a run: the node, and the scope that it runs in. */
export interface Place {
  readonly path: NodePath;
  readonly scope: ScopeId;
}

/** What a run spent. Tokens are counts; cost is in the currency that the units report. */
export interface Usage {
  readonly tokens: number;
  readonly cost: number;
}

/** What made a run: a client's request, a fork of another run, a schedule, a request for many at once. */
export interface Origin {
  readonly type: 'client' | 'fork' | 'schedule' | 'bulk';
}

export interface RunStarted extends EventBase {
  readonly type: 'run-started';
  readonly runId: string;
  readonly namespace: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  readonly input: JsonObject;
  readonly labels: Readonly<Record<string, string>>;
  readonly by: Actor;
  readonly origin: Origin;
  readonly parent: { readonly runId: string; readonly executionId: number } | null;
  /** `policy.timeout.workflowMs` after the start; paused time is added to it. */
  readonly deadlineAt: number | null;
}

export interface UnitScheduled extends EventBase, Place {
  readonly type: 'unit-scheduled';
  readonly unitId: string;
  /**
   * The input as evaluated: a crash calls again with the same one. Absent for a unit without a `with`: it gets the
   * run's input, which stands in the log already and may be large.
   */
  readonly input?: JsonValue;
  /** A built-in's settings as evaluated; null where they hold no expression, and for all other units. */
  readonly settings: JsonObject | null;
  /** Set when a failed execution of unknown outcome is tried again: its key is kept. */
  readonly key: number | null;
  /** A bound for each attempt, in ms. */
  readonly timeoutMs: number;
}

export interface UnitAttemptFailed extends EventBase {
  readonly type: 'unit-attempt-failed';
  readonly executionId: number;
  readonly unitId: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly error: string;
  readonly outcome: 'refused' | 'unknown';
  readonly retryAt: number;
}

export interface UnitFinished extends EventBase {
  readonly type: 'unit-finished';
  readonly executionId: number;
  readonly unitId: string;
  readonly attempt: number;
  readonly output: JsonValue;
  /** State keys that the unit returned beside its output. */
  readonly patch: JsonObject | null;
  readonly usage: Usage | null;
  /** What the flow around the unit reads: `route`, `delegations`. */
  readonly metadata: JsonObject | null;
}

export interface UnitFailed extends EventBase {
  readonly type: 'unit-failed';
  readonly executionId: number;
  readonly unitId: string;
  readonly attempt: number;
  readonly error: string;
  readonly retryable: boolean;
  /** `unknown`: the unit may have done its work (network, time-out, 5xx), so a later try keeps its key. */
  readonly outcome: 'refused' | 'unknown';
}

export interface UnitSkipped extends EventBase, Place {
  readonly type: 'unit-skipped';
  readonly unitId: string;
}

/** `builtin.set`: a unit that only writes is done in the event that says so. */
export interface StateWritten extends EventBase, Place {
  readonly type: 'state-written';
  readonly unitId: string;
  readonly values: JsonObject;
}

export interface BranchChosen extends EventBase, Place {
  readonly type: 'branch-chosen';
  /** The route key of a router, the case's position or `default` of a switch, the target of a delegation. */
  readonly branch: string;
  /** The orchestrator's unit id and what it asks of the target (delegation only). */
  readonly source: string | null;
  readonly task: JsonValue;
}

export interface ItemsOpened extends EventBase, Place {
  readonly type: 'items-opened';
  /** The passes of a foreach, or the delegations of one round; no delegations end a delegation. */
  readonly kind: 'passes' | 'delegations';
  readonly items: readonly JsonValue[];
}

export interface ConditionRead extends EventBase, Place {
  readonly type: 'condition-read';
  readonly value: boolean;
  /** The pass that just ended; counts from 0. */
  readonly iteration: number;
  /** Whether another pass follows: the condition is false and `maxIterations` is not reached. */
  readonly again: boolean;
}

export interface GateOpened extends EventBase, Place {
  readonly type: 'gate-opened';
  readonly unitId: string;
  readonly title: string;
  readonly description: string | null;
  readonly payload: JsonValue;
  readonly onReject: 'fail' | 'continue';
}

export interface GateDecided extends EventBase {
  readonly type: 'gate-decided';
  readonly gateId: number;
  readonly unitId: string;
  readonly approved: boolean;
  /** As the request named them; `by` says how that is known. */
  readonly responder: string;
  readonly by: Actor;
  readonly comment: string | null;
  /** A rejection that the gate does not let pass: the unit failed. */
  readonly failed: boolean;
}

export interface TimerSet extends EventBase, Place {
  readonly type: 'timer-set';
  readonly unitId: string;
  readonly dueAt: number;
}

export interface TimerFired extends EventBase {
  readonly type: 'timer-fired';
  readonly timerId: number;
  readonly unitId: string;
}

/** One branch, pass or dag node came to its end; its writes wait for the join. */
export interface BranchClosed extends EventBase {
  readonly type: 'branch-closed';
  readonly scope: ScopeId;
  readonly error: string | null;
  /** Whether a resumed run takes the failed branch up again (`collect-errors`). */
  readonly retried: boolean;
}

/**
 * A join: the child scopes of the node end, and their writes become the scope's own, in declaration order.
 * The event holds only what the children did not write themselves: outputs stand once in the log.
 */
export interface NodeClosed extends EventBase, Place {
  readonly type: 'node-closed';
  /** What a foreach collected, the errors of a best-effort parallel. */
  readonly writes: JsonObject;
}

export interface Paused extends EventBase, Place {
  readonly type: 'paused';
  readonly unitId: string;
  /**
   * `before`, `after`: the author's. `recovery-limit`: the execution was being called each time the process died.
   * `undecided`: what happened could not be decided upon, by a fault of ours or of the plan. `limit`: the run has
   * outgrown a setting.
   */
  readonly reason: 'before' | 'after' | 'recovery-limit' | 'undecided' | 'limit';
  /** The execution that is held back (`recovery-limit`, `undecided`); null: none is. */
  readonly executionId: number | null;
  /** What is wrong and what to do (`recovery-limit`, `undecided`, `limit`). */
  readonly error?: string;
}

export interface Resumed extends EventBase {
  readonly type: 'resumed';
  /** The pause that is lifted (the `seq` of its event); `null` when a failed run is tried again. */
  readonly pauseId: number | null;
  readonly by: Actor;
}

/** A request found nothing to do. In the log because its `Idempotency-Key` stands for that from now on. */
export interface RequestNoted extends EventBase {
  readonly type: 'request-noted';
  readonly request: 'resume' | 'hitl';
}

/** These had been called when the process died; the others of the run count nothing. */
export interface Recovered extends EventBase {
  readonly type: 'recovered';
  readonly executionIds: readonly number[];
}

export interface Rewound extends EventBase {
  readonly type: 'rewound';
  /** Whoever folds gives `evolve` the state after this event, folded from the log's prefix. */
  readonly toSeq: number;
  readonly by: Actor;
}

export interface RunCompleted extends EventBase {
  readonly type: 'run-completed';
}

export interface RunFailed extends EventBase {
  readonly type: 'run-failed';
  readonly error: string;
}

export interface RunCancelled extends EventBase {
  readonly type: 'run-cancelled';
  readonly by: Actor;
}

/** One fact of a run's log (the event catalogue). */
export type RunEvent =
  | RunStarted
  | UnitScheduled
  | UnitAttemptFailed
  | UnitFinished
  | UnitFailed
  | UnitSkipped
  | StateWritten
  | BranchChosen
  | ItemsOpened
  | ConditionRead
  | GateOpened
  | GateDecided
  | TimerSet
  | TimerFired
  | BranchClosed
  | NodeClosed
  | Paused
  | Resumed
  | RequestNoted
  | Recovered
  | Rewound
  | RunCompleted
  | RunFailed
  | RunCancelled;

export type RunEventType = RunEvent['type'];

type Unstamped<E> = E extends RunEvent ? Omit<E, 'v' | 'seq' | 'at'> : never;

/** An event before the log gave it its place and time. */
export type NewEvent = Unstamped<RunEvent>;
