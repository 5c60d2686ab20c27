import type { RunEvent } from '../core/log/event.js';
import type { JsonObject, JsonValue } from '../core/json.js';

/**
 * What lists, records and sweeps need of a run without folding its log; written with every append. `workflowId`,
 * `definitionHash` and `createdAt` are those of the run's first append for ever.
 */
export interface RunRow {
  readonly runId: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  readonly status: 'pending' | 'running' | 'paused' | 'completed' | 'failed';
  /** Epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Epoch ms; null while the run has not ended. */
  readonly endedAt: number | null;
  /** Executions that are in flight or wait for a retry: what recovery must pick up. */
  readonly openExecutions: number;
  /** The earliest instant at which the run moves by itself; null when it waits for others. */
  readonly wakeAt: number | null;
}

/** The state after event `seq`, encoded; states of another `stateVersion` are ignored and rebuilt. */
export interface StoredState {
  readonly seq: number;
  readonly stateVersion: number;
  readonly state: JsonValue;
}

/** What a caller's `Idempotency-Key` stands for, written in the append that it caused. */
export interface IdempotencyRecord {
  /** Namespaces the key: `start:<workflowId>`, `resume:<runId>` or `hitl:<runId>`. */
  readonly scope: string;
  readonly key: string;
  /** Hash of the request; the same key with another request is refused by the engine. */
  readonly fingerprint: string;
  readonly runId: string;
}

export interface AppendRequest {
  readonly runId: string;
  /** `seq` of the last event that the writer knows; 0 creates the run. */
  readonly expectedSeq: number;
  /** At least one, with consecutive `seq` from `expectedSeq + 1`. */
  readonly events: readonly RunEvent[];
  readonly row: RunRow;
  /** A full state to keep beside the events; null most of the time. */
  readonly storedState: StoredState | null;
  readonly idempotency: readonly IdempotencyRecord[];
}

/** `conflict`: somebody else appended first (or the idempotency key exists); nothing was written. */
export type AppendResult = 'appended' | 'conflict';

export interface LoadedRun {
  readonly row: RunRow;
  /** The newest stored state at or before the place asked for, or null; only the last few of a run are kept. */
  readonly storedState: StoredState | null;
  /** All events after it (after 0 without one), in order. */
  readonly events: readonly RunEvent[];
}

/** A workflow as it was registered; runs are pinned to it by its hash. */
export interface StoredDefinition {
  readonly hash: string;
  readonly workflowId: string;
  readonly yaml: string;
  readonly bindings: JsonObject;
  readonly registeredAt: number;
}

/** Events of one append as a follower of the whole store sees them. */
export interface LogEntry {
  /** Grows with every append of the store; followers keep it as their cursor. */
  readonly position: number;
  readonly runId: string;
  readonly workflowId: string;
  readonly events: readonly RunEvent[];
}

/**
 * Keeps the logs of all runs. Every method takes one readonly parameter object; what is absent is null.
 *
 * Numbered promises, each checked by `testing/contract/run-store`:
 * 1. `append` is atomic: events, row, stored state and idempotency records are written all or not at all.
 * 2. `append` writes only if the run's last seq is `expectedSeq`; of two writers one gets `conflict`.
 * 3. When `append` resolves, what it wrote survives the death of the process (in-memory: not promised),
 *    and no reader saw it before.
 * 4. `position` never goes back and no entry appears later below a position already read.
 * 5. A rejected promise means: unknown. The caller reloads before it goes on.
 */
export interface RunStore {
  /** Opens or creates what is needed. Rejects with a `StoreError` that says what to do. */
  open(): Promise<void>;
  append(request: AppendRequest): Promise<AppendResult>;
  /** Null for a run that does not exist. `atSeq` (default: the end) stops the log there, for rewinds. */
  load(request: { readonly runId: string; readonly atSeq: number | null }): Promise<LoadedRun | null>;
  /** Null for a run that does not exist. */
  readRow(request: { readonly runId: string }): Promise<RunRow | null>;
  /** Events with `afterSeq < seq`, oldest first, at most `limit`. Empty for an unknown run. */
  readEvents(request: {
    readonly runId: string;
    readonly afterSeq: number;
    readonly limit: number;
  }): Promise<readonly RunEvent[]>;
  /** Runs, newest first by (createdAt, runId); `before` is the last row of the page before. */
  listRuns(request: {
    readonly workflowId: string | null;
    readonly status: RunRow['status'] | null;
    readonly before: { readonly createdAt: number; readonly runId: string } | null;
    readonly limit: number;
  }): Promise<readonly RunRow[]>;
  /** Runs not ended that have open executions or a `wakeAt`, by runId after `afterRunId`, at most `limit`. */
  listUnfinished(request: {
    readonly afterRunId: string | null;
    readonly limit: number;
  }): Promise<readonly RunRow[]>;
  /** Idempotent: the hash names the content (bindings of the newest registration win). */
  saveDefinition(definition: StoredDefinition): Promise<void>;
  readDefinition(request: { readonly hash: string }): Promise<StoredDefinition | null>;
  readIdempotency(request: {
    readonly scope: string;
    readonly key: string;
  }): Promise<IdempotencyRecord | null>;
  /**
   * Appends of all runs in commit order, after `afterPosition` (0: from the first), at most `limit`. A page may be
   * shorter than `limit` before the end (large outputs); an empty one is the end. Purged runs leave no entries.
   */
  readAll(request: { readonly afterPosition: number; readonly limit: number }): Promise<readonly LogEntry[]>;
  /** A follower's place in `readAll`; 0 for a new one. */
  readCursor(request: { readonly name: string }): Promise<number>;
  writeCursor(request: { readonly name: string; readonly position: number }): Promise<void>;
  /** Deletes at most `limit` runs that ended before the instant; answers their ids, oldest first. */
  purgeEnded(request: { readonly endedBefore: number; readonly limit: number }): Promise<readonly string[]>;
  /** Resolves when the store can serve; rejects with a `StoreError` otherwise. */
  check(): Promise<void>;
  /** Waits for what was appended; afterwards every method rejects. */
  close(): Promise<void>;
}
