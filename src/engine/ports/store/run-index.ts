import type { GateStatus } from '../../vocabulary.js';
import type { GateCursor, ListedGate, OpenGate } from './gates.js';
import type { RunFilter } from './run-filter.js';
import type { ListedRun, RunRow } from './run-row.js';
import type { WorkflowPatterns } from '../access/workflow-patterns.js';

/** Where a page of runs ended. */
export interface RunCursor {
  readonly createdAt: number;
  readonly runId: string;
}

/**
 * Runs by shard: the last byte of the run id, modulo `count`, is one of `lanes`. An id whose last two characters are no hex
 * digits counts as byte 0. Null in place of a set: all runs.
 */
export interface ShardSet {
  readonly count: number;
  readonly lanes: readonly number[];
}

/**
 * Finds runs and gates by what they are now: for lists, sweeps and families. It is only read: whatever writes a run keeps
 * it up to date, in the same write (promise 1).
 */
export interface RunIndex {
  /**
   * Runs of the namespace that pass the filter, newest first by (createdAt, runId), after `before`. It looks at no more than
   * 10,000 rows: with a `next` the page may be short, or empty. A run that matches throughout is on exactly one page of a
   * walk, whatever else begins or changes meanwhile. Few `workflows` are found by an index: a page costs nothing more for the
   * runs of others.
   */
  findRuns(request: {
    readonly namespace: string;
    readonly filter: RunFilter;
    readonly before: RunCursor | null;
    readonly limit: number;
  }): Promise<{ readonly runs: readonly ListedRun[]; readonly next: RunCursor | null }>;
  /** The run as `findRuns` shows it; null for a run that does not exist. */
  readListed(request: { readonly runId: string }): Promise<ListedRun | null>;
  /**
   * Gates of the namespace: open ones by when they opened, decided ones by when they were decided; newest first. `workflows`: of
   * those that fit; null: of all.
   */
  listGates(request: {
    readonly namespace: string;
    readonly status: GateStatus;
    readonly workflowId: string | null;
    readonly workflows: WorkflowPatterns | null;
    readonly before: GateCursor | null;
    readonly limit: number;
  }): Promise<{ readonly gates: readonly ListedGate[]; readonly next: GateCursor | null }>;
  countOpenGates(request: {
    readonly namespace: string;
    readonly workflowId: string | null;
    readonly workflows: WorkflowPatterns | null;
  }): Promise<number>;
  /** How many runs of the namespace have not ended; it counts to `atMost`. */
  countOpenRuns(request: { readonly namespace: string; readonly atMost: number }): Promise<number>;
  /** How many runs of all namespaces have not ended, by status, and how many gates wait. */
  countStanding(): Promise<{
    readonly pending: number;
    readonly running: number;
    readonly paused: number;
    readonly openGates: number;
  }>;
  /** Runs not ended that have open executions, by runId after `afterRunId`, at most `limit`. */
  listUnfinished(request: {
    readonly lanes: ShardSet | null;
    readonly afterRunId: string | null;
    readonly limit: number;
  }): Promise<readonly RunRow[]>;
  /** Runs not ended whose `wakeAt` is at or before `before`, by (wakeAt, runId) after `after`, at most `limit`. */
  listDue(request: {
    readonly lanes: ShardSet | null;
    readonly before: number;
    readonly after: { readonly wakeAt: number; readonly runId: string } | null;
    readonly limit: number;
  }): Promise<readonly RunRow[]>;
  /** The children of a run that have not ended, by runId after `afterRunId`, at most `limit`. */
  listChildren(request: {
    readonly parentRunId: string;
    readonly afterRunId: string | null;
    readonly limit: number;
  }): Promise<readonly RunRow[]>;
  /**
   * Below a run, at any depth, the runs that have not ended and have an open gate, by runId after `afterRunId`, at most
   * `limit`. Absent: callers go through the children.
   */
  listRunsBelowWithGates?(request: {
    readonly runId: string;
    readonly afterRunId: string | null;
    readonly limit: number;
  }): Promise<readonly RunRow[]>;
  /**
   * The run that a run's family began with: that of its parent, where it is a child that was started here (`origin`), else
   * itself, also where it is unknown. It never changes.
   */
  readRoot(request: { readonly runId: string }): Promise<string>;
  /** How many runs, of whichever generation, have that root and have not ended; it counts to `atMost`. */
  countDescendants(request: { readonly rootRunId: string; readonly atMost: number }): Promise<number>;
  /** The run's open gates, oldest first; those of all its branches. */
  listOpenGates(request: { readonly runId: string }): Promise<readonly OpenGate[]>;
}
