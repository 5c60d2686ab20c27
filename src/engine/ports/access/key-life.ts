import type { StoredKey } from './access-store.js';
import type { Grant } from './principal.js';

/** Whether the key is neither revoked nor expired. */
export function isLiveKey(
  { revokedAt, expiresAt }: Pick<StoredKey, 'revokedAt' | 'expiresAt'>,
  now: number,
): boolean {
  return revokedAt === null && expiresAt > now;
}

/**
 * Whether one of the grants is for all of all namespaces; with `roles`, whether such a one has one of them. One that is for some
 * workflows alone is not: who holds it manages no other keys than of these.
 */
export function isGrantedEverywhere(
  grants: readonly Grant[],
  roles: readonly string[] | null = null,
): boolean {
  return grants.some(
    (grant) =>
      grant.namespace === '*' &&
      grant.workflows === undefined &&
      (roles === null || grant.roles.some((role) => roles.includes(role))),
  );
}
