import type { JsonObject, JsonValue } from '../json.js';
import type { RunBudget } from '../state/run-budget.js';
import type { WaitEvent } from '../waits/kinds.js';
import type { Actor } from './actor.js';
import type { EventBase, NodePath, Origin, Place, RunParent, ScopeId, Unstamped } from './event-base.js';

export type { NodePath, Origin, Place, ScopeId } from './event-base.js';

/** What a fork has that its source had not. What is absent is as it was there. */
export interface ForkEdits {
  /** The run's input was replaced: by that of `run-started`. */
  readonly input?: true;
  /** Laid over the root scope. */
  readonly state?: JsonObject;
  /** What the unit before which it begins is given where it is scheduled next there, in place of what its `with` says. */
  readonly unitInput?: JsonValue;
  /** The source's definition, where the fork has another one. */
  readonly definition?: string;
  /**
   * Gates that were decided before the place where it begins, by their ids there, and child runs in which one was, by the
   * seqs of their `child-started`: a setting allowed it.
   */
  readonly pastGates?: readonly number[];
}

/** The run begins where another one stood. Second event of its log, in one append with `run-started`. */
export interface RunForked extends EventBase {
  readonly type: 'run-forked';
  readonly fromRunId: string;
  /** It has the state that the other run had after this event; 0: it begins anew. */
  readonly fromSeq: number;
  /** The unit that was scheduled next there, before which it begins; absent: it begins after a checkpoint, or anew. */
  readonly before?: Place & { readonly unitId: string };
  readonly edits: ForkEdits;
  readonly by: Actor;
}

/** The log up to here was written elsewhere. What was live is cancelled; nothing of it is ever called. */
export interface RunImported extends EventBase {
  readonly type: 'run-imported';
  /** Of the export's lines, in hex. */
  readonly sha256: string;
  readonly by: Actor;
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
  readonly parent: RunParent | null;
  /** `policy.timeout.workflowMs` after the start; paused time is added to it. */
  readonly deadlineAt: number | null;
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

/** One branch, pass or dag node came to its end; its writes wait for the join. */
export interface BranchClosed extends EventBase {
  readonly type: 'branch-closed';
  readonly scope: ScopeId;
  readonly error: string | null;
  /** Whether a resumed run takes the failed branch up again (`collect-errors`). */
  readonly retried: boolean;
  /** Where it failed, if that is inside of a fork of its own; absent: where its thread stands. */
  readonly failedAt?: NodePath;
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

/** What people ask of a run that has begun. */
export type RunRequest = 'resume' | 'hitl' | 'cancel' | 'pause';

/** A request found nothing to do. In the log because its `Idempotency-Key` stands for that from now on. */
export interface RequestNoted extends EventBase {
  readonly type: 'request-noted';
  readonly request: RunRequest;
}

/** Nothing is left of what the run may spend: the unit is not called, or its child run not begun. What becomes of it is in the next event. */
export interface BudgetExceeded extends EventBase {
  readonly type: 'budget-exceeded';
  readonly executionId: number;
  readonly unitId: string;
  /** What was used, and of how much. */
  readonly violation: string;
}

export interface Rewound extends EventBase {
  readonly type: 'rewound';
  /** Whoever folds gives `evolve` the state after this event, folded from the log's prefix. */
  readonly toSeq: number;
  /** What the run may spend from here on; absent: as much as before. */
  readonly budget?: RunBudget;
  readonly by: Actor;
}

/** A child run that had gone on by itself after its end: its parent, tried again, waits for it as for any other. */
export interface Rejoined extends EventBase {
  readonly type: 'rejoined';
}

export interface RunCompleted extends EventBase {
  readonly type: 'run-completed';
}

export interface RunFailed extends EventBase {
  readonly type: 'run-failed';
  readonly error: string;
}

/** The run is to be cancelled: nothing new begins. What is being called may still answer, until then. */
export interface CancelRequested extends EventBase {
  readonly type: 'cancel-requested';
  readonly by: Actor;
  /** Epoch ms. */
  readonly graceUntil: number;
}

/** What was in flight came to its end, or its time was up: the units of `spec.onCancel` are next. */
export interface CleanUpStarted extends EventBase {
  readonly type: 'clean-up-started';
  /** Where they stand in the document. */
  readonly path: NodePath;
}

export interface RunCancelled extends EventBase {
  readonly type: 'run-cancelled';
  readonly by: Actor;
}

/** The events that are of no wait. */
export type CoreEvent =
  | RunStarted
  | UnitSkipped
  | StateWritten
  | BranchChosen
  | ItemsOpened
  | ConditionRead
  | BranchClosed
  | NodeClosed
  | RequestNoted
  | BudgetExceeded
  | Rewound
  | Rejoined
  | RunCompleted
  | RunFailed
  | CancelRequested
  | CleanUpStarted
  | RunCancelled
  | RunForked
  | RunImported;

/** One fact of a run's log (the event catalogue). Those of a wait are in the file of its kind, in `waits/`. */
export type RunEvent = CoreEvent | WaitEvent;

/** An event before the log gave it its place and time. */
export type NewEvent = Unstamped<RunEvent>;
