import type { ListAuditRequest } from '../../engine/index.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import { instantIn } from '../../http/query/instant.js';
import { LIST_LIMIT, type Query } from '../../http/query/query.js';
import { AUDIT_FILTERS, LIST_PAGE } from '../../openapi/list-parameters.js';
import { namesOf } from '../../openapi/parameters.js';

const KNOWN = namesOf([...AUDIT_FILTERS, ...LIST_PAGE]);

/** The request that a query stands for; the engine checks what texts may be. Throws an `InvalidRequestError`. */
export function auditRequestIn(query: Query): ListAuditRequest {
  query.expectOnly(KNOWN);
  const text = (name: string): string | undefined => query.text(name) ?? undefined;
  return {
    owner: text('owner'),
    action: text('action'),
    runId: text('runId'),
    after: instant('after', text('after')),
    before: instant('before', text('before')),
    limit: query.wholeNumber('limit', LIST_LIMIT),
    cursor: text('cursor'),
  };
}

function instant(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const at = instantIn(given);
  if (at !== null) return at;
  throw new InvalidRequestError(
    `${name} must be an instant, in milliseconds or as RFC 3339 (2026-01-31T12:00:00Z)`,
  );
}
