import type { HostPrincipal } from '../../config/access/host-principal.js';
import {
  BUILT_IN_ROLES,
  isOwner,
  MAX_GRANTS,
  MAX_GROUPS,
  type Grant,
  type Principal,
} from '../../engine/index.js';
import { grantFaults } from '../grants/grant-faults.js';

const MAX_ROLES = 100;

/** Somebody whom a host names; a text: why that is nobody, for the log, with nothing in it that the host gave. */
export function principalNamed(given: unknown): Principal | string {
  if (given === undefined || given === null) return 'the host named nobody';
  if (typeof given !== 'object') return 'what the host named is no object';
  const { owner, id = owner, name, groups = [], grants, expiresAt = null } = given as Unchecked;
  if (!isOwner(owner)) return 'the owner that the host named is malformed';
  if (!isOwner(id)) return 'the id that the host named is malformed';
  if (name !== undefined && !isOwner(name)) return 'the name that the host named is malformed';
  if (!isListOf(groups, isOwner, MAX_GROUPS)) return 'the groups that the host named are malformed';
  if (!isListOf(grants, isGrant, MAX_GRANTS)) return 'the grants that the host named are malformed';
  if (expiresAt !== null && !(typeof expiresAt === 'number' && Number.isFinite(expiresAt)))
    return 'the expiry that the host named is malformed';
  return {
    id,
    owner,
    ...(name === undefined ? {} : { name }),
    groups: [...groups],
    grants: grants.map(copied),
    auth: 'host',
    expiresAt,
  };
}

type Unchecked = { readonly [Field in keyof HostPrincipal]?: unknown };

function isGrant(given: unknown): given is Grant {
  if (typeof given !== 'object' || given === null) return false;
  const { roles, ...rest } = given as Readonly<Record<string, unknown>>;
  if (!isListOf(roles, isOwner, MAX_ROLES)) return false;
  // Which roles there are is the policy's affair: of these nothing is asked.
  return grantFaults({ ...rest, roles: [...BUILT_IN_ROLES.keys()] }, BUILT_IN_ROLES).length === 0;
}

/** Whatever the host does with its own object afterwards. */
function copied({ namespace, roles, workflows }: Grant): Grant {
  return { namespace, roles: [...roles], ...(workflows === undefined ? {} : { workflows: [...workflows] }) };
}

function isListOf<Item>(
  given: unknown,
  isOne: (item: unknown) => item is Item,
  most: number,
): given is readonly Item[] {
  return Array.isArray(given) && given.length <= most && given.every(isOne);
}
