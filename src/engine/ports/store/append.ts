import type { JsonValue } from '../../core/json.js';
import type { DecidedGate, OpenGate } from './gates.js';
import type { RunRow } from './run-row.js';

/**
 * One event as it is stored. Only the event codec looks into it or makes one: a store needs no more than its `seq`, and must
 * not assume that this build knows its type.
 */
export interface StoredEvent {
  /** The version of the payload, per type. */
  readonly v: number;
  /** Counts from 1 within the run. */
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
  readonly type: string;
}

/** The state after event `seq`, encoded; states of another `stateVersion` are ignored and rebuilt. */
export interface StoredState {
  readonly seq: number;
  readonly stateVersion: number;
  readonly state: JsonValue;
}

/** What a caller's `Idempotency-Key` stands for, written in the append that it caused. */
export interface IdempotencyRecord {
  /** Namespaces the key: `start:<workflowId>`, or one of `resume`, `hitl`, `cancel`, `pause` and `:<runId>`. */
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
  readonly events: readonly StoredEvent[];
  /** The run as it is after the events. */
  readonly row: RunRow;
  /** A full state to keep next to the events; null most of the time. */
  readonly storedState: StoredState | null;
  readonly idempotency: readonly IdempotencyRecord[];
  /** The run's labels, with its first append (later ones are not looked at); null: none, or not the first. */
  readonly labels: Readonly<Record<string, string>> | null;
  /** Every gate that is open after these events; null: the same as before. A run that has ended has none. */
  readonly openGates: readonly OpenGate[] | null;
  /** The gates that these events decide; null: none. */
  readonly decidedGates: readonly DecidedGate[] | null;
  /**
   * The registration that a start was made from: `stale` unless it still holds. Null: not checked, as for every append but a
   * first one, and in a process that alone registers in this store.
   */
  readonly startedFrom: { readonly hash: string; readonly opening: string | null } | null;
  /** Whether the run's parent or its children may have to be notified: then the append is entered into the family log. */
  readonly concernsFamily: boolean;
}

/**
 * Nothing was written unless `appended`. `conflict`: another writer appended first, or an idempotency key exists. `stale`:
 * the workflow is registered with another definition by now, or not at all, or the run that a fork (`origin`) was to be
 * initialised from is not stored any more, or the definition that a first append names was deleted while it was written. What
 * is both is a `conflict`, so that a start that is requested again finds its run.
 */
export type AppendResult = 'appended' | 'conflict' | 'stale';
