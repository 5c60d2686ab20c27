import type { ListedRun, RunFilter } from './run-store.js';

export type { RunFilter } from './run-store.js';

export const ANY_RUN: RunFilter = Object.freeze({
  workflowId: null,
  statuses: null,
  labels: Object.freeze([]),
  createdFrom: null,
  createdBefore: null,
  hasOpenGate: null,
  gateUnit: null,
  isCancelled: null,
  origin: null,
  forkedFrom: null,
  definitionHash: null,
  idPrefix: null,
});

/** Whether a listed run passes the filter. A gate of `gateUnit` beyond those that are listed is not seen. */
export function passes(filter: RunFilter, { row, labels, openGates }: ListedRun): boolean {
  const { workflowId, statuses, createdFrom, createdBefore, hasOpenGate, gateUnit } = filter;
  const { isCancelled, origin, forkedFrom, definitionHash, idPrefix } = filter;
  return (
    matches(workflowId, row.workflowId) &&
    (statuses === null || statuses.includes(row.status)) &&
    filter.labels.every(({ name, value }) => Object.hasOwn(labels, name) && labels[name] === value) &&
    (createdFrom === null || row.createdAt >= createdFrom) &&
    (createdBefore === null || row.createdAt < createdBefore) &&
    (hasOpenGate === null || openGates.length > 0) &&
    (gateUnit === null || openGates.some(({ unitId }) => unitId === gateUnit)) &&
    matches(isCancelled, row.isCancelled) &&
    matches(origin, row.origin) &&
    matches(forkedFrom, row.forkedFrom) &&
    matches(definitionHash, row.definitionHash) &&
    (idPrefix === null || row.runId.startsWith(idPrefix))
  );
}

function matches<T>(wanted: T | null, found: T | null): boolean {
  return wanted === null || wanted === found;
}
