import type { RunOrigin, RunStatus } from '../../vocabulary.js';
import type { ListedRun } from './run-row.js';
import { fitting, type WorkflowPatterns } from '../access/workflow-patterns.js';

/** What the runs of a list have in common. Null: it does not matter. */
export interface RunFilter {
  readonly workflowId: string | null;
  /** The run is of a workflow that fits: what others do is hidden from whoever asks. */
  readonly workflows: WorkflowPatterns | null;
  /** The run has any of these statuses; at least one. */
  readonly statuses: readonly RunStatus[] | null;
  /** The run has all of these labels; at most three. */
  readonly labels: readonly { readonly name: string; readonly value: string }[];
  /** Epoch ms, inclusive. */
  readonly createdFrom: number | null;
  /** Epoch ms, exclusive. */
  readonly createdBefore: number | null;
  /** True: at least one gate waits for a decision. */
  readonly hasOpenGate: true | null;
  /** A gate of this unit waits for a decision. */
  readonly gateUnit: string | null;
  readonly isCancelled: boolean | null;
  readonly origin: RunOrigin | null;
  readonly forkedFrom: string | null;
  /** The run is a child of this one. */
  readonly parentRunId: string | null;
  readonly definitionHash: string | null;
  readonly idPrefix: string | null;
}

export const ANY_RUN: RunFilter = Object.freeze({
  workflowId: null,
  workflows: null,
  statuses: null,
  labels: Object.freeze([]),
  createdFrom: null,
  createdBefore: null,
  hasOpenGate: null,
  gateUnit: null,
  isCancelled: null,
  origin: null,
  forkedFrom: null,
  parentRunId: null,
  definitionHash: null,
  idPrefix: null,
});

/**
 * Whether a listed run passes the filter. A gate of `gateUnit` beyond those that are listed is not seen. `fits`: `fitting` of its
 * patterns, where many runs are looked at.
 */
export function passes(
  filter: RunFilter,
  { row, labels, openGates }: ListedRun,
  fits: (workflowId: string) => boolean = fitting(filter.workflows),
): boolean {
  const { workflowId, statuses, createdFrom, createdBefore, hasOpenGate, gateUnit } = filter;
  const { isCancelled, origin, forkedFrom, parentRunId, definitionHash, idPrefix } = filter;
  return (
    matches(workflowId, row.workflowId) &&
    fits(row.workflowId) &&
    (statuses === null || statuses.includes(row.status)) &&
    filter.labels.every(({ name, value }) => Object.hasOwn(labels, name) && labels[name] === value) &&
    (createdFrom === null || row.createdAt >= createdFrom) &&
    (createdBefore === null || row.createdAt < createdBefore) &&
    (hasOpenGate === null || openGates.length > 0) &&
    (gateUnit === null || openGates.some(({ unitId }) => unitId === gateUnit)) &&
    matches(isCancelled, row.isCancelled) &&
    matches(origin, row.origin) &&
    matches(forkedFrom, row.forkedFrom) &&
    matches(parentRunId, row.parentRunId) &&
    matches(definitionHash, row.definitionHash) &&
    (idPrefix === null || row.runId.startsWith(idPrefix))
  );
}

function matches<T>(wanted: T | null, found: T | null): boolean {
  return wanted === null || wanted === found;
}
