import type { JsonObject, JsonValue } from './json.js';
import type { PauseReason, RunMessage } from './messages.js';

/** The status of a run (interface, section 3). */
export type RunStatus = 'pending' | 'running' | 'paused' | 'completed' | 'failed';

/**
 * What run operations answer with (interface, section 2). `State` is what the workflow leaves behind: name it where you
 * know it, as in `client.startWorkflow<{ total: number }>(…)`. Nothing checks it at run time.
 */
export interface RunRecord<State extends object = JsonObject> {
  readonly runId: string;
  readonly workflowId: string;
  readonly status: RunStatus;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms. */
  readonly updatedAt: number;
  /** Only when completed or paused. */
  readonly result?: WorkflowResult<State>;
  /** Only when failed. */
  readonly error?: string;
  /** Only when somebody cancelled it: its status is `failed`, as that of an item of a list. */
  readonly cancelled?: true;
  /** Of the request that was answered: what it sent that nobody reads and that looks meant. Absent without. */
  readonly warnings?: readonly string[];
}

/** Which record of a run is read. */
export type RecordView = 'plain' | 'full';

/** A record with all that is known of its run, whatever its status. */
export interface FullRunRecord<State extends object = JsonObject> extends RunRecord<State> {
  readonly result: WorkflowResult<State>;
  /** What the run failed with; null: it did not fail, or was cancelled. */
  readonly failure: RunFailure | null;
  /** What it waits for, at most 20, first what a person has to act upon; none where it is over. */
  readonly waits: readonly OpenWait[];
  /** What became of what other units undo; null: nothing was done that is, or was, to be undone. */
  readonly compensation: Compensation | null;
  /** The run that it is a child of; null: of none. */
  readonly parentRunId: string | null;
  /** The run that its family began with: itself, where it has no parent. */
  readonly rootRunId: string;
}

/** `gate`: a decision. `resume`: somebody who resumes it. `child`: a run that it started. `time`: an instant. */
export type WaitingFor = 'gate' | 'resume' | 'child' | 'time' | 'unit';

/** Something that a run waits for. */
export interface OpenWait {
  readonly for: WaitingFor;
  /** The `gateId` of a gate, the `executionId` of a call, the `pauseId` of a pause. */
  readonly id: number;
  /** Null: all of the run. */
  readonly unitId: string | null;
  /** Where it stands in the document: a JSON pointer. */
  readonly path: string;
  /** Epoch ms at which it ends by itself, or is tried again; absent: it does not. */
  readonly dueAt?: number;
  /** The run that is waited for (`child`). */
  readonly childRunId?: string;
  /** Why somebody has to resume it (`resume`). */
  readonly reason?: PauseReason;
  /** The item of the pass that it belongs to, of a foreach with `itemKey`, and its place. */
  readonly index?: number;
  readonly itemKey?: string;
}

/** What became of what the run did and other units can undo. */
export interface Compensation {
  /**
   * `owed`: something was done, and is undone if the run comes to that. `running`: it is being undone. `failed`: something could
   * not be. `done`: nothing is left to undo.
   */
  readonly status: 'owed' | 'running' | 'done' | 'failed';
  /** How many calls were undone. */
  readonly done: number;
  /** How many could not be, after the last attempt. */
  readonly failed: number;
  /** How many may have been made, and nobody undoes. */
  readonly unknown: number;
}

/** Where a run failed, and why. */
export interface RunFailure {
  /** The unit that failed; null: a flow did. */
  readonly unitId: string | null;
  /** Where it stands in the document of the run's version: a JSON pointer; null: that is not known. */
  readonly path: string | null;
  /** Counts from 1. */
  readonly line: number | null;
  /** Counts from 1. */
  readonly column: number | null;
  /** How often the unit was called; 0 for what is not called. */
  readonly attempts: number;
  /** Null: that is not known. */
  readonly code: FailureCode | null;
  /** The record's `error`. */
  readonly message: string;
}

/** What kind of failure it was. */
export type FailureCode =
  'unit' | 'timeout' | 'rejected' | 'child' | 'budget' | 'expression' | 'route' | 'fail';

export interface WorkflowResult<State extends object = JsonObject> {
  readonly runId: string;
  /** Ids of the units that completed, in the order of their first completion. */
  readonly completedUnits: readonly string[];
  /** The shared state: the input's keys, `output.<unitId>` per unit, what units wrote themselves. */
  readonly state: State;
  /** The newest 1,000, oldest first. */
  readonly messages: readonly RunMessage[];
  /** Ms of time not paused. */
  readonly duration: number;
  readonly tokenUsage: number;
  /** In the currency that the units report; by convention US dollars. */
  readonly cost: number;
  /** What `spec.output` of the workflow gave. Absent: it has none, or the run is not over. */
  readonly output?: JsonValue;
}

/** One page of a run's messages, oldest first. */
export interface MessagePage {
  readonly messages: readonly RunMessage[];
  /** `after` of the next page; null at the end. Until then a page may be short, or empty. */
  readonly next: string | null;
}

/** One hit of a memory search. */
export interface MemoryHit {
  readonly id: string;
  readonly content: string;
  /** Greater than 0 and at most 1, which is the best match of this search. */
  readonly score: number;
  /** For outputs of units: workflowId, runId, unitId, and `at` in epoch ms. */
  readonly metadata: JsonObject;
}

export interface MemorySearch {
  /** Best first. */
  readonly results: readonly MemoryHit[];
}

export interface Health {
  readonly ok: boolean;
  /** Ids, in the order of their registration. */
  readonly workflows?: readonly string[];
  /** Of the service; absent in process, like all that follows. */
  readonly version?: string;
  /** `behind`: entries of the log that the search has not read yet. */
  readonly memory?: { readonly behind: number };
  /** Runs that are paused because what follows could not be decided. */
  readonly undecided?: number;
  /** How often, since the process began, a run had stalled and was read anew: each time by a defect. */
  readonly stalled?: number;
  /** Who has left a transaction open on a database that replicas share, which holds up the search, and for how long. */
  readonly heldUp?: { readonly pid: number | null; readonly forMs: number };
  /** That the access file cannot be used, so that the one before it holds. Absent: it can, or there is none. */
  readonly accessFile?: string;
  /** Why `ok` is false. */
  readonly error?: string;
  /** Stable, for programs; next to `error`: `shutting-down` or `store`. */
  readonly code?: string;
}
