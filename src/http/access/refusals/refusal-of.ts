import type { Principal } from '../../../engine/index.js';
import { ForbiddenError, type ForeignNamespaceError } from '../../../errors/access-errors.js';
import type { RefusedRequest } from '../access.js';

/** In no namespace where it is one that the principal has nothing to do with: whose it is need not know of them. */
export function refusalOf(
  error: ForbiddenError | ForeignNamespaceError,
  principal: Principal,
): RefusedRequest {
  const namespace = error instanceof ForbiddenError ? error.namespace : null;
  return { status: 403, reason: error.message, principal, namespace };
}
