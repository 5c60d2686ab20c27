import type { Grant, Principal, Roles } from '../../engine/index.js';
import { ForbiddenError } from '../../errors/access-errors.js';
import { holdsRight, rightBeyond } from '../grants/covered-grants.js';
import { isBootstrap } from './bootstrap.js';

interface Granted {
  readonly owner: string;
  readonly grants: readonly Grant[];
}

/**
 * Whether a principal may manage keys with these grants, whoever's they are: with `key:manage` in each namespace and for each
 * workflow that they name. So whoever manages the keys of one tenant sees none of another's.
 */
export function manages(by: Principal, grants: readonly Grant[], roles: Roles): boolean {
  if (grants.length === 0) return managesAll(by, roles);
  return grants.every(({ namespace, workflows }) =>
    holdsRight(by.grants, { permission: 'key:manage', namespace, workflows }, roles),
  );
}

export function managesAll(by: Principal, roles: Roles): boolean {
  return holdsRight(by.grants, { permission: 'key:manage', namespace: '*', workflows: undefined }, roles);
}

/** Whether a principal may see and end a key. */
export function mayEnd(by: Principal, key: Granted, roles: Roles): boolean {
  return !isBootstrap(by) && (key.owner === by.owner || manages(by, key.grants, roles));
}

/** Throws a `ForbiddenError` for the first right of the grants that the principal does not have. */
export function assertHolds(by: Principal, grants: readonly Grant[], roles: Roles): void {
  const beyond = rightBeyond(grants, by.grants, roles);
  if (beyond !== null) throw new ForbiddenError(beyond.permission, namespaceIn(beyond.namespace));
}

/** Throws a `ForbiddenError` where the principal may not manage keys with these grants. */
export function assertManages(by: Principal, grants: readonly Grant[], roles: Roles): void {
  const grant = grants.find((each) => !manages(by, [each], roles));
  if (grant !== undefined) throw new ForbiddenError('key:manage', namespaceIn(grant.namespace));
}

/** Throws a `ForbiddenError` where the principal may not manage keys in all namespaces. */
export function assertManagesAll(by: Principal, roles: Roles): void {
  if (!managesAll(by, roles)) throw new ForbiddenError('key:manage', null);
}

function namespaceIn(namespace: string): string | null {
  return namespace === '*' ? null : namespace;
}
