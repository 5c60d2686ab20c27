import type { ListRunsRequest } from '../../engine/index.js';
import { MOST_LABELS_OF_A_FILTER as MAX_LABELS } from '../../engine/request-limits.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import { instantIn } from '../../http/query/instant.js';
import { LIST_LIMIT, type Query } from '../../http/query/query.js';
import { LIST_PAGE, OF_WORKFLOW, RUN_FILTERS } from '../../openapi/list-parameters.js';
import { namesOf } from '../../openapi/parameters.js';

const OF_ONE_WORKFLOW = namesOf([...RUN_FILTERS, ...LIST_PAGE]);
const OF_ALL = namesOf([OF_WORKFLOW, ...RUN_FILTERS, ...LIST_PAGE]);

/**
 * The request that a query stands for. `workflowId`: the one of the address; null: the query may name it. The engine
 * checks which statuses, origins and texts are valid. Throws an `InvalidRequestError`.
 */
export function listRequestIn(query: Query, workflowId: string | null): ListRunsRequest {
  query.expectOnly(workflowId === null ? OF_ALL : OF_ONE_WORKFLOW);
  const text = (name: string): string | undefined => query.text(name) ?? undefined;
  return {
    workflowId: workflowId ?? text('workflowId'),
    status: text('status')?.split(',') as ListRunsRequest['status'],
    labels: labelsIn(query.texts('label')),
    createdAfter: instant('createdAfter', text('createdAfter')),
    createdBefore: instant('createdBefore', text('createdBefore')),
    openGate: openGateIn(query),
    gateUnit: text('gateUnit'),
    cancelled: query.flag('cancelled') ?? undefined,
    origin: text('origin') as ListRunsRequest['origin'],
    forkedFrom: text('forkedFrom'),
    parent: text('parent'),
    definitionHash: text('definitionHash'),
    idPrefix: text('id'),
    limit: query.wholeNumber('limit', LIST_LIMIT),
    cursor: text('cursor'),
  };
}

/** `name:value`; the value may hold further colons. */
function labelsIn(given: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (given.length === 0) return undefined;
  if (given.length > MAX_LABELS) {
    throw new InvalidRequestError(`label is given more than ${MAX_LABELS} times: leave some out`);
  }
  const labels = new Map<string, string>();
  for (const label of given) {
    const [name = '', ...rest] = label.split(':');
    if (name === '' || rest.length === 0) {
      throw new InvalidRequestError('label must be a name and a value with a colon between them: name:value');
    }
    const value = rest.join(':');
    if ((labels.get(name) ?? value) !== value) {
      throw new InvalidRequestError(
        'label names two values of one label, which no run has: send one of them',
      );
    }
    labels.set(name, value);
  }
  return Object.fromEntries(labels);
}

function instant(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const at = instantIn(given);
  if (at !== null) return at;
  throw new InvalidRequestError(
    `${name} must be an instant, in milliseconds or as RFC 3339 (2026-01-31T12:00:00Z)`,
  );
}

function openGateIn(query: Query): true | undefined {
  const flag = query.flag('openGate');
  if (flag === false) throw new InvalidRequestError('openGate can only be true: leave it out for all runs');
  return flag ?? undefined;
}
