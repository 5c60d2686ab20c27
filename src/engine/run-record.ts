import type { FailureCode, RunStatus } from './vocabulary.js';
import type { JsonObject, JsonValue } from './core/json.js';
import type { RunMessage } from './core/log/messages.js';
import type { CompensationSummary } from './core/state/debts/compensation-summary.js';
import type { OpenWait } from './core/state/view/open-waits.js';

/** What run operations return (interface, section 2). `State` is what its shared state is known to hold. */
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
  /** Only when the run was cancelled: its status is `failed`, as that of an item of a list. */
  readonly cancelled?: true;
  /** Only over HTTP, about the request itself: what it sent that is not read and that looks intended. */
  readonly warnings?: readonly string[];
}

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

/** A record with all that is known of its run, whatever its status: `GET …/runs/:runId?view=full`. */
export interface FullRunRecord<State extends object = JsonObject> extends RunRecord<State> {
  readonly result: WorkflowResult<State>;
  /** What the run failed with; null: it did not fail, or was cancelled. */
  readonly failure: RunFailureDetails | null;
  /** What it waits for, at most 20, first what a person has to act upon; none where it is over. */
  readonly waits: readonly OpenWait[];
  /** What became of what other units undo; null: nothing was done that is, or was, to be undone. */
  readonly compensation: CompensationSummary | null;
  /** The run that it is a child of; null: of none. */
  readonly parentRunId: string | null;
  /** The run that its family began with: itself, where it has no parent. */
  readonly rootRunId: string;
}

/** Where a run failed, and why. */
export interface RunFailureDetails {
  /** The unit that failed; null: a flow did. */
  readonly unitId: string | null;
  /** Where it stands in the document of the run's version: a JSON pointer; null: that is not known. */
  readonly path: string | null;
  /** Counts from 1; null where `path` is, or where the document takes too long to read. */
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

/** One registered workflow, as `GET /workflows` lists it. */
export interface WorkflowSummary {
  readonly workflowId: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly definitionHash: string;
  /** Epoch ms. */
  readonly registeredAt: number;
  /** Ids, as declared. */
  readonly units: readonly string[];
  readonly flowType: string;
}

/** What a caller has to know of a workflow to start it. Frozen. */
export interface WorkflowDescription extends WorkflowSummary {
  /** `spec.input`, a JSON Schema (2020-12); null: any object will do. */
  readonly inputSchema: JsonObject | null;
  /** `metadata.annotations`; none for what was registered before there were any. */
  readonly annotations: Readonly<Record<string, string | number | boolean>>;
}

/** One checkpoint of a run. */
export interface SnapshotSummary {
  readonly snapshotId: string;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Why it is a checkpoint: the type of the event that it stands after. */
  readonly after: string;
  /** The unit that ended or stopped there. */
  readonly unitId: string;
}

export interface Snapshot extends SnapshotSummary {
  readonly completedUnits: readonly string[];
  readonly state: JsonObject;
}
