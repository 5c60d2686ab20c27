import type { Principal, Roles } from '../../engine/index.js';
import { DEFAULT_NAMESPACE } from '../../engine/core/namespace.js';
import { PERMISSIONS, type Permission } from '../../engine/vocabulary.js';

/** What is granted to somebody in a namespace. */
export interface ShownGrant {
  readonly namespace: string;
  readonly permissions: readonly Permission[];
  /** Ids of workflows, each of which may end in `*`; null: all. */
  readonly workflows: readonly string[] | null;
}

/** The response of `GET /whoami`. */
export interface WhoAmI {
  readonly auth: Principal['auth'] | 'none';
  readonly id: string;
  readonly owner: string | null;
  readonly name: string | null;
  readonly groups: readonly string[];
  readonly expiresAt: number | null;
  readonly grants: readonly ShownGrant[];
}

/** What there is to permit only where it is asked who is asking. */
const OF_ACCESS: ReadonlySet<Permission> = new Set(['key:manage', 'audit:read']);

/** Where nobody is asked, everyone may do all that there is. */
export const ANYONE: WhoAmI = {
  auth: 'none',
  id: 'user',
  owner: null,
  name: null,
  groups: [],
  expiresAt: null,
  grants: [
    {
      namespace: DEFAULT_NAMESPACE,
      permissions: PERMISSIONS.filter((permission) => !OF_ACCESS.has(permission)),
      workflows: null,
    },
  ],
};

export function whoIs({ auth, id, owner, name, groups, grants, expiresAt }: Principal, roles: Roles): WhoAmI {
  return {
    auth,
    id,
    owner,
    name: name ?? null,
    groups,
    expiresAt,
    grants: grants.map((grant) => ({
      namespace: grant.namespace,
      permissions: permissionsOf(grant.roles, roles),
      workflows: grant.workflows ?? null,
    })),
  };
}

/** Each once, in the order in which all of them are listed. */
function permissionsOf(names: readonly string[], roles: Roles): readonly Permission[] {
  const given = new Set(names.flatMap((name) => roles.get(name) ?? []));
  return PERMISSIONS.filter((permission) => given.has(permission));
}
