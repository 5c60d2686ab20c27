import { InvalidRequestError } from '../../../errors/request-errors.js';
import { ANY_RUN, type RunFilter } from '../../ports/store/run-filter.js';
import { MOST_LABELS_OF_A_FILTER as MAX_LABELS } from '../../request-limits.js';
import { PUBLISHED_ORIGINS, RUN_ORIGINS, RUN_STATUSES, type RunOrigin } from '../../vocabulary.js';
import type { ListRunsRequest } from '../run-requests.js';

/** No id, name, label or hash is longer. */
const MAX_CHARS = 256;

/** The filter in one canonical form: equal requests have the same cursors. Throws an `InvalidRequestError`. */
export function filterOf(request: ListRunsRequest): RunFilter {
  return {
    ...ANY_RUN,
    workflowId: filterText('workflowId', request.workflowId),
    statuses: statusesOf(request.status),
    labels: labelsOf(request.labels),
    createdFrom: instantOf('createdAfter', request.createdAfter),
    createdBefore: instantOf('createdBefore', request.createdBefore),
    hasOpenGate: request.openGate ?? null,
    gateUnit: filterText('gateUnit', request.gateUnit),
    isCancelled: request.cancelled ?? null,
    origin: originOf(request.origin),
    forkedFrom: filterText('forkedFrom', request.forkedFrom),
    parentRunId: filterText('parent', request.parent),
    definitionHash: filterText('definitionHash', request.definitionHash),
    idPrefix: filterText('id', request.idPrefix),
  };
}

/** Null: the filter is not set. Throws an `InvalidRequestError`. */
export function filterText(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (text.length > 0 && text.length <= MAX_CHARS) return text;
  throw new InvalidRequestError(`${name} must be a text of 1 to ${MAX_CHARS} characters`);
}

function instantOf(name: string, at: number | undefined): number | null {
  if (at === undefined) return null;
  if (Number.isSafeInteger(at)) return at;
  throw new InvalidRequestError(`${name} must be an instant in whole milliseconds`);
}

function statusesOf(given: ListRunsRequest['status']): RunFilter['statuses'] {
  if (given === undefined) return null;
  const statuses = RUN_STATUSES.filter((status) => given.includes(status));
  if (statuses.length > 0 && given.every((status) => RUN_STATUSES.includes(status))) return statuses;
  const isCancelled = (given as readonly string[]).some(
    (status) => status === 'cancelled' || status === 'canceled',
  );
  const hint = isCancelled ? ': runs that were cancelled are those with cancelled=true' : '';
  throw new InvalidRequestError(`status must be one or more of ${RUN_STATUSES.join(', ')}${hint}`);
}

function originOf(origin: RunOrigin | undefined): RunOrigin | null {
  if (origin === undefined || RUN_ORIGINS.includes(origin)) return origin ?? null;
  throw new InvalidRequestError(`origin must be one of ${PUBLISHED_ORIGINS.join(', ')}`);
}

function labelsOf(given: ListRunsRequest['labels']): RunFilter['labels'] {
  const labels = Object.entries(given ?? {}).map(([name, value]) => ({ name, value }));
  if (labels.length > MAX_LABELS) {
    throw new InvalidRequestError(`At most ${MAX_LABELS} labels can be asked for at once: leave some out`);
  }
  for (const { name, value } of labels) {
    if (name.length > MAX_CHARS || typeof value !== 'string' || value.length > MAX_CHARS) {
      throw new InvalidRequestError(`A label is at most ${MAX_CHARS} characters long: shorten it`);
    }
  }
  return labels.sort((a, b) => (a.name < b.name ? -1 : 1));
}
