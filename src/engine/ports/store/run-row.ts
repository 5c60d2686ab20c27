import type { RunOrigin, RunStatus } from '../../vocabulary.js';
import type { CompensationSummary } from '../../core/state/debts/compensation-summary.js';
import type { OpenGate } from './gates.js';

/**
 * What lists, records and sweeps need of a run without folding its log; written with every append. `namespace`,
 * `workflowId`, `definitionHash` and `createdAt` are permanently those of the run's first append.
 */
export interface RunRow {
  readonly runId: string;
  /** `default` unless the host keeps its tenants apart. */
  readonly namespace: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  readonly status: RunStatus;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Epoch ms; null while the run has not ended. */
  readonly endedAt: number | null;
  /**
   * Executions that may be in flight, which a process that takes the run over must call. Not those that wait for a retry.
   */
  readonly openExecutions: number;
  /** The earliest instant at which the run moves by itself; null when it waits for others. */
  readonly wakeAt: number | null;
  /** Seq of the last event. */
  readonly lastSeq: number;
  /** The run that it is a child of, permanently; null: of none. */
  readonly parentRunId: string | null;
  /** What created the run, permanently. */
  readonly origin: RunOrigin;
  /** The run that it is a fork of, permanently; null: of none. */
  readonly forkedFrom: string | null;
  /** The run failed because it was cancelled, or was live when it was imported. */
  readonly isCancelled: boolean;
  /** What the run spent; null: it ended before this was kept. */
  readonly figures: RunFigures | null;
  /** What became of what other units undo; null: nothing is, or was, to be undone, or it ended before this was kept. */
  readonly compensation: CompensationSummary | null;
}

export interface RunFigures {
  readonly tokens: number;
  /** In the currency that the units report. */
  readonly cost: number;
  /** Ms of time not paused, without the period that is open since `activeSince`. */
  readonly activeMs: number;
  /** Epoch ms; null while it is paused or over. */
  readonly activeSince: number | null;
}

/** A run as lists show it. */
export interface ListedRun {
  readonly row: RunRow;
  readonly labels: Readonly<Record<string, string>>;
  /** The oldest 20 that wait for a decision. */
  readonly openGates: readonly OpenGate[];
}
