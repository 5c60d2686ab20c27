import type { AppendRequest, AppendResult, IdempotencyRecord, StoredEvent, StoredState } from './append.js';
import type { OpenGate } from './gates.js';
import type { RunRow } from './run-row.js';

export interface LoadedRun {
  readonly row: RunRow;
  /** The newest stored state at or before the requested seq, or null; only the last few of a run are kept. */
  readonly storedState: StoredState | null;
  /** The events after it (after 0 without one), in order; many or large ones only in part: `readEvents` reads the others. */
  readonly events: readonly StoredEvent[];
}

/**
 * The logs of runs. This is the only port through which a log grows, and where one run is read by its id; all else that a
 * store knows of runs follows from its appends.
 */
export interface RunLog {
  /** Whether a run can have this id; every UUID in lower case can be one. Absent: any text can. */
  acceptsRunId?(runId: string): boolean;
  /**
   * Returns the result itself where there is nothing to wait for: a promise costs more than such an append does. A fault is
   * a rejection in either case, never a throw.
   */
  append(request: AppendRequest): AppendResult | Promise<AppendResult>;
  /** Null for a run that does not exist. `atSeq` (null: the end) stops the log there, for rewinds. */
  load(request: { readonly runId: string; readonly atSeq: number | null }): Promise<LoadedRun | null>;
  /** Null for a run that does not exist. */
  readRow(request: { readonly runId: string }): Promise<RunRow | null>;
  /**
   * Events with `afterSeq < seq`, oldest first, at most `limit`. Empty for an unknown run. With `maxChars` a page may be
   * shorter before the end, though not empty: a store that has to read and parse events ends it at about so many characters
   * of JSON. However many events are requested, no other request waits for all of them.
   */
  readEvents(request: {
    readonly runId: string;
    readonly afterSeq: number;
    readonly limit: number;
    readonly maxChars?: number;
  }): Promise<readonly StoredEvent[]>;
  /** The run's labels; none for an unknown run. */
  readLabels(request: { readonly runId: string }): Promise<Readonly<Record<string, string>>>;
  readIdempotency(request: {
    readonly scope: string;
    readonly key: string;
  }): Promise<IdempotencyRecord | null>;
  /** Ids of runs, not ended, that a version before the present schema wrote and nobody indexed since. */
  listUnindexed(request: { readonly limit: number }): Promise<readonly string[]>;
  /** Enters what that version did not keep: the gates that are open. Does nothing to a run that is indexed. */
  indexRun(request: { readonly runId: string; readonly openGates: readonly OpenGate[] }): Promise<void>;
}
