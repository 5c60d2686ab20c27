import {
  isOwner,
  MAX_GRANTS,
  MAX_GROUPS,
  type Grant,
  type Principal,
  type Roles,
} from '../../engine/index.js';
import { InvalidRequestError, type RequestFault } from '../../errors/request-errors.js';
import type { MakeKeyRequest } from '../api-keys.js';
import { grantFaults } from '../grants/grant-faults.js';
import { isBootstrap } from './bootstrap.js';

const MAX_NAME_CHARS = 256;

/** What a new key is to be, with nothing left open. */
export interface CheckedKeyRequest {
  readonly owner: string;
  readonly name: string | null;
  readonly groups: readonly string[];
  readonly grants: readonly Grant[];
  readonly expiresAt: number;
}

export interface KeyBounds {
  readonly roles: Roles;
  /** Epoch ms. */
  readonly now: number;
  /** From `now` on; the expiry of the maker is a bound, too. */
  readonly maxLifeMs: number;
}

/** Throws an `InvalidRequestError` for a request that is not of the right shape, or names a later end than it may. */
export function checkedKeyRequest(
  by: Principal,
  request: MakeKeyRequest,
  { roles, now, maxLifeMs }: KeyBounds,
): CheckedKeyRequest {
  const latest = Math.min(now + maxLifeMs, by.expiresAt ?? Infinity);
  const { name = null, groups = by.groups, expiresAt = latest } = request;
  const owner = request.owner ?? (isBootstrap(by) ? null : by.owner);
  const grants = request.grants ?? knownGrants(by.grants, roles);
  const faults: RequestFault[] = [];
  const isFault = (path: string, isRight: boolean, message: string): void => {
    if (!isRight) faults.push({ path, message: `${path} ${message}` });
  };
  isFault('owner', isOwner(owner), 'must be a name of 1 to 256 characters (NFC, no control characters)');
  isFault(
    'name',
    name === null || isName(name),
    'must have 1 to 256 characters, none of them a control character',
  );
  isFault(
    'groups',
    isListOfOwners(groups),
    `must be a list of at most ${MAX_GROUPS} names of 1 to 256 characters, each once`,
  );
  isFault(
    'expiresAt',
    Number.isSafeInteger(expiresAt) && expiresAt > now && expiresAt <= latest,
    `must be in the future, and no later than ${new Date(latest).toISOString()}`,
  );
  faults.push(...faultsOfGrants(grants, roles));
  if (faults.length > 0 || owner === null) throw InvalidRequestError.naming(faults);
  // Only the fields that we know, whatever else was sent.
  const copies = grants.map(({ namespace, roles: names, workflows }) => ({
    namespace,
    roles: [...names],
    ...(workflows !== undefined && { workflows: [...workflows] }),
  }));
  return { owner, name, groups: [...groups], grants: copies, expiresAt };
}

/** A role that there is no more gives nothing, and must not come to give something later. */
function knownGrants(grants: readonly Grant[], roles: Roles): readonly Grant[] {
  return grants
    .map((grant) => ({ ...grant, roles: grant.roles.filter((role) => roles.has(role)) }))
    .filter((grant) => grant.roles.length > 0);
}

function faultsOfGrants(grants: unknown, roles: Roles): readonly RequestFault[] {
  if (!Array.isArray(grants) || grants.length === 0 || grants.length > MAX_GRANTS)
    return [{ path: 'grants', message: `grants must be a list of 1 to ${MAX_GRANTS} grants` }];
  return grants.flatMap((grant: unknown, index) => {
    const path = `grants[${index}]`;
    if (typeof grant !== 'object' || grant === null)
      return [{ path, message: `${path} must be an object with namespace and roles` }];
    return grantFaults(grant, roles).map(({ field, message }) => ({
      path: `${path}.${field}`,
      message: `${path}.${field} ${message}`,
    }));
  });
}

function isName(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= MAX_NAME_CHARS &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
  );
}

function isListOfOwners(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= MAX_GROUPS &&
    value.every(isOwner) &&
    new Set(value).size === value.length
  );
}
