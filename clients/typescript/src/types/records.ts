import type { JsonObject } from './json.js';
import type { RunMessage } from './messages.js';

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
  /** Why `ok` is false. */
  readonly error?: string;
  /** Stable, for programs; next to `error`: `shutting-down` or `store`. */
  readonly code?: string;
}
