import type { JsonObject, JsonValue } from '../json.js';
import type { RunBudget } from '../state/run-budget.js';
import type { ClosingReason, FailureFacts, TryExit } from '../state/scope.js';
import type { WaitEvent } from '../waits/kinds.js';
import type { Actor } from './actor.js';
import type { Failure } from './failure.js';
import type { EventBase, NodePath, Origin, Location, RunParent, ScopeId, Unstamped } from './event-base.js';

export type { NodePath, Origin, Location, ScopeId } from './event-base.js';

/** How a fork differs from its source. What is absent is as it was there. */
export interface ForkEdits {
  /** The run's input was replaced by that of `run-started`. */
  readonly input?: true;
  /** Laid over the root scope. */
  readonly state?: JsonObject;
  /**
   * The input, in place of what `with` says, of the unit before which the fork begins, when that is next scheduled there.
   */
  readonly unitInput?: JsonValue;
  /** The source's definition, where the fork has another one. */
  readonly definition?: string;
  /**
   * Gates that were decided before the point where the fork begins, by their ids in the source, and child runs in which one
   * was, by the seqs of their `child-started`: a setting allowed it.
   */
  readonly pastGates?: readonly number[];
}

/** The run begins where another one stood. Second event of its log, in one append with `run-started`. */
export interface RunForked extends EventBase {
  readonly type: 'run-forked';
  readonly fromRunId: string;
  /** The run has the state that the other one had after this event; 0: it begins at the start of its workflow. */
  readonly fromSeq: number;
  /** The unit that was scheduled next there, before which it begins; absent: it begins after a checkpoint, or anew. */
  readonly before?: Location & { readonly unitId: string };
  readonly edits: ForkEdits;
  readonly by: Actor;
}

/** The log up to here was written elsewhere. What was live is cancelled; nothing of it is ever called. */
export interface RunImported extends EventBase {
  readonly type: 'run-imported';
  /** The checksum of the export's lines, in hex. */
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
  /** What `spec.vars` gave; absent: the workflow has none. */
  readonly vars?: JsonObject;
}

export interface UnitSkipped extends EventBase, Location {
  readonly type: 'unit-skipped';
  readonly unitId: string;
}

/** `builtin.set`: a unit that only writes is done in the event that says so. */
export interface StateWritten extends EventBase, Location {
  readonly type: 'state-written';
  readonly unitId: string;
  readonly values: JsonObject;
}

export interface BranchChosen extends EventBase, Location {
  readonly type: 'branch-chosen';
  /** The route key of a router, the case's position or `default` of a switch, the target of a delegation. */
  readonly branch: string;
  /** The orchestrator's unit id, and the task that it hands to the target (delegation only). */
  readonly source: string | null;
  readonly task: JsonValue;
}

export interface ItemsOpened extends EventBase, Location {
  readonly type: 'items-opened';
  /** The passes of a foreach, or the delegations of one round; no delegations end a delegation. */
  readonly kind: 'passes' | 'delegations';
  readonly items: readonly JsonValue[];
}

/** A pass of a foreach begins, and its item has a name. */
export interface PassOpened extends EventBase {
  readonly type: 'pass-opened';
  readonly scope: ScopeId;
  readonly key: string;
}

/** A race begins that undoes what was done in the branches that are not the first. */
export interface RaceEntered extends EventBase, Location {
  readonly type: 'race-entered';
}

export interface ConditionRead extends EventBase, Location {
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
  /** Where it failed, if that is inside of a fan-out of its own; absent: where its thread stands. */
  readonly failedAt?: NodePath;
  /** What the join tells of the failure; absent: it tells its text. */
  readonly facts?: FailureFacts;
  /** How many branches have failed with it; absent: nobody counts them. */
  readonly failures?: number;
  /** It is of a race, which fails with it: of whatever goes on from there, only this branch's writes count. Absent: it is not. */
  readonly decides?: true;
}

/**
 * A join: the child scopes of the node end, and their writes become the scope's own, in declaration order.
 * The event holds only what the children did not write themselves: outputs stand once in the log.
 */
export interface NodeClosed extends EventBase, Location {
  readonly type: 'node-closed';
  /** What a foreach collected, the errors of a best-effort parallel, what won a race. */
  readonly writes: JsonObject;
  /** The only branch whose writes count; what is open of the others closes. Absent: all branches have ended. */
  readonly winner?: number;
}

/** What people request of a run that has begun. */
export type RunRequest = 'resume' | 'hitl' | 'cancel' | 'pause' | 'compensate';

/** A request found nothing to do. It is logged because its `Idempotency-Key` has that effect from now on. */
export interface RequestNoted extends EventBase {
  readonly type: 'request-noted';
  readonly request: RunRequest;
}

/**
 * Nothing is left of what the run may spend: the unit is not called, or its child run is not begun. The next event says what
 * becomes of it.
 */
export interface BudgetExceeded extends EventBase {
  readonly type: 'budget-exceeded';
  readonly executionId: number;
  readonly unitId: string;
  /** What was used, and of how much. */
  readonly violation: string;
}

export interface Rewound extends EventBase {
  readonly type: 'rewound';
  /** The seq of the base state: the state after this event, which the fold needs (see `fold-log.ts`). */
  readonly toSeq: number;
  /** What the run may spend from here on; absent: as much as before. */
  readonly budget?: RunBudget;
  readonly by: Actor;
}

/** A child run had continued detached after its end: its parent, tried again, waits for it as for any other. */
export interface Rejoined extends EventBase {
  readonly type: 'rejoined';
}

/**
 * What is open inside of the node, or of all the scope, closes before its end: no thread inside moves from now on, but for
 * those of a `finally`.
 */
export interface Unwinding extends EventBase {
  readonly type: 'unwinding';
  readonly scope: ScopeId;
  /** '': all of the scope; of the root's, all of the run. */
  readonly path: NodePath | '';
  readonly reason: ClosingReason;
  readonly error: Failure | null;
  /** What was done inside since that event is undone, after each `finally`; absent: nothing is. */
  readonly since?: number;
  /** What was done in that branch stays done; absent: nothing does. */
  readonly except?: ScopeId;
}

/** The run is over, and what could not be undone is to be tried again. */
export interface CompensationRequested extends EventBase {
  readonly type: 'compensation-requested';
  readonly by: Actor;
}

/** What can be undone is, from the last to the first. */
export interface CompensationStarted extends EventBase {
  readonly type: 'compensation-started';
  readonly scope: ScopeId;
  readonly path: NodePath | '';
  /** How many calls are undone. */
  readonly owed: number;
}

/** A call could not be undone: the other unit failed, or there was nothing to call it with. */
export interface CompensationFailed extends EventBase {
  readonly type: 'compensation-failed';
  readonly executionId: number;
  readonly error: string;
}

/** All that could be undone was, or has failed. */
export interface CompensationFinished extends EventBase {
  readonly type: 'compensation-finished';
  readonly scope: ScopeId;
  readonly path: NodePath | '';
  readonly done: number;
  readonly failed: number;
  /** Calls of which it is unknown what they did, and that nobody undoes. */
  readonly unknown: number;
}

/** The body of a try failed, and its `catch` is next. What is open inside becomes the scope's own, as it stands. */
export interface FailureCaught extends EventBase, Location {
  readonly type: 'failure-caught';
  readonly error: Failure;
}

/** The `finally` of a try is next, whatever became of the rest. */
export interface FinallyBegun extends EventBase, Location {
  readonly type: 'finally-begun';
  readonly error: Failure | null;
  readonly exit: TryExit;
}

/** All of a try is over. */
export interface TryLeft extends EventBase, Location {
  readonly type: 'try-left';
  readonly error: Failure | null;
  readonly exit: TryExit;
}

export interface RunCompleted extends EventBase {
  readonly type: 'run-completed';
  /** What `spec.output` gave; absent: the workflow has none. */
  readonly output?: JsonValue;
}

export interface RunFailed extends EventBase {
  readonly type: 'run-failed';
  readonly error: string;
  /** What ran because of the failure cannot be taken back: the run is not resumed. */
  readonly unwound?: true;
}

/** The run is to be cancelled: nothing new begins. What is being called may still complete, until `graceUntil`. */
export interface CancelRequested extends EventBase {
  readonly type: 'cancel-requested';
  readonly by: Actor;
  /** Epoch ms. */
  readonly graceUntil: number;
}

/** What was in flight came to its end, or its time was up: the units of `spec.onCancel` are next. */
export interface CleanUpStarted extends EventBase {
  readonly type: 'clean-up-started';
  /** The path of these units in the document. */
  readonly path: NodePath;
}

export interface RunCancelled extends EventBase {
  readonly type: 'run-cancelled';
  readonly by: Actor;
}

/** The events that belong to no wait. */
export type CoreEvent =
  | RunStarted
  | UnitSkipped
  | StateWritten
  | BranchChosen
  | ItemsOpened
  | PassOpened
  | RaceEntered
  | ConditionRead
  | BranchClosed
  | NodeClosed
  | RequestNoted
  | BudgetExceeded
  | Rewound
  | Rejoined
  | Unwinding
  | CompensationRequested
  | CompensationStarted
  | CompensationFailed
  | CompensationFinished
  | FailureCaught
  | FinallyBegun
  | TryLeft
  | RunCompleted
  | RunFailed
  | CancelRequested
  | CleanUpStarted
  | RunCancelled
  | RunForked
  | RunImported;

/** One fact of a run's log (the event catalogue). The events of a wait are in the file of its kind, in `waits/`. */
export type RunEvent = CoreEvent | WaitEvent;

/** An event before the log gave it its seq and time. */
export type NewEvent = Unstamped<RunEvent>;
