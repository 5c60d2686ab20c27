import type { GatesRequest, Labels, RunsRequest } from '../list-requests.js';
import type { Instant, ListGatesOptions, ListRunsOptions } from '../options/lists.js';
import type { RunStatus } from '../types/records.js';
import { checkFlag, checkText } from './arguments.js';
import { checkLimit } from './limits.js';

/** Throws a `TypeError` for what no filter can be. */
export function runsRequest(options: ListRunsOptions): RunsRequest {
  const { workflowId, gateUnit, origin, forkedFrom, parent, definitionHash, idPrefix, limit, cursor } =
    options;
  const texts = { workflowId, gateUnit, origin, forkedFrom, parent, definitionHash, idPrefix, cursor };
  for (const [name, value] of Object.entries(texts)) checkText(name, value);
  const { openGate, cancelled, createdAfter, createdBefore, labels, status } = options;
  if (openGate !== undefined && openGate !== true) {
    throw new TypeError('openGate must be true, or left out: lists do not look for runs without open gates');
  }
  checkFlag('cancelled', cancelled);
  checkLimit(limit);
  return {
    workflowId,
    status: statuses(status),
    labels: checkedLabels(labels),
    createdAfter: instantOf('createdAfter', createdAfter),
    createdBefore: instantOf('createdBefore', createdBefore),
    openGate,
    gateUnit,
    cancelled,
    origin,
    forkedFrom,
    parent,
    definitionHash,
    idPrefix,
    limit,
    cursor,
  };
}

export function gatesRequest(options: ListGatesOptions): GatesRequest {
  const { status, workflowId, limit, cursor } = options;
  for (const [name, value] of Object.entries({ status, workflowId, cursor })) checkText(name, value);
  checkLimit(limit);
  return { status, workflowId, limit, cursor };
}

/** A copy. Throws a `TypeError` for values that are no texts. */
export function checkedLabels(labels: unknown): Labels | undefined {
  if (labels === undefined) return undefined;
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) {
    throw new TypeError("labels must be an object of names and texts: { team: 'blue' }");
  }
  const copy = Object.entries(labels).map(([name, value]) => {
    if (typeof value !== 'string') throw new TypeError(`labels: the value of ${name} must be a text`);
    return [name, value] as const;
  });
  return Object.fromEntries(copy);
}

function statuses(given: unknown): readonly RunStatus[] | undefined {
  if (given === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length === 0 || list.some((status) => typeof status !== 'string')) {
    throw new TypeError('status must be a status, or a list of at least one: leave it out for any');
  }
  return list as readonly RunStatus[];
}

export function instantOf(name: string, given: Instant | undefined): number | undefined {
  if (given === undefined) return undefined;
  const ms = typeof given === 'string' ? Date.parse(given) : Number(given);
  if (!Number.isSafeInteger(ms) || ms < 0) {
    throw new TypeError(`${name} must be epoch ms, a Date, or a text such as 2026-11-01T00:00:00Z`);
  }
  return ms;
}
