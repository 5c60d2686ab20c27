import type { Permission } from '../../engine/vocabulary.js';
import { ForbiddenError } from '../../errors/access-errors.js';
import type { EdgeRequest } from '../edge-request.js';
import { authenticatedOf, type Authenticated } from '../identity/authenticated.js';
import type { Access } from './access.js';
import { isPermitted } from './asked-policy.js';

/** What whoever sent a request may do in its namespace. */
export interface Permitted {
  /** Rejects with an `AuthUnavailableError` where that cannot be found out. */
  may(permissions: readonly Permission[]): Promise<boolean>;
  /** Rejects with a `ForbiddenError`, or as `may` does. */
  assert(permissions: readonly Permission[]): Promise<void>;
}

/** Where nobody is asked who they are. */
const ALL_PERMITTED: Permitted = {
  may: () => Promise.resolve(true),
  assert: () => Promise.resolve(),
};

/** What whoever sends a request may do, which the guard has let in. */
export function permittedIn(request: EdgeRequest, access: Pick<Access, 'policy'> | null): Permitted {
  const authenticated = authenticatedOf(request);
  return access === null || authenticated === undefined ? ALL_PERMITTED : permittedTo(access, authenticated);
}

function permittedTo({ policy }: Pick<Access, 'policy'>, { principal, namespace }: Authenticated): Permitted {
  const missing = async (permissions: readonly Permission[]): Promise<Permission | null> => {
    for (const action of permissions) {
      if (!(await isPermitted(policy, { principal, action, resource: { namespace } }))) return action;
    }
    return null;
  };
  return {
    may: async (permissions) => (await missing(permissions)) === null,
    assert: async (permissions) => {
      const permission = await missing(permissions);
      if (permission !== null) throw new ForbiddenError(permission, namespace);
    },
  };
}
