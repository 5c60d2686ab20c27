import type { Permission } from '../../engine/vocabulary.js';
import { ForbiddenError } from '../../errors/access-errors.js';
import type { Authenticated } from '../identity/authenticated.js';
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
export const ALL_PERMITTED: Permitted = {
  may: () => Promise.resolve(true),
  assert: () => Promise.resolve(),
};

export function permittedTo(
  { policy }: Pick<Access, 'policy'>,
  { principal, namespace }: Authenticated,
): Permitted {
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
