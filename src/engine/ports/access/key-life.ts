import type { StoredKey } from './access-store.js';
import type { Grant } from './principal.js';

/** Whether the key is neither revoked nor expired. */
export function isLiveKey(
  { revokedAt, expiresAt }: Pick<StoredKey, 'revokedAt' | 'expiresAt'>,
  now: number,
): boolean {
  return revokedAt === null && expiresAt > now;
}

/** Whether one of the grants is for all namespaces; with `roles`, whether such a one has one of them. */
export function isGrantedEverywhere(
  grants: readonly Grant[],
  roles: readonly string[] | null = null,
): boolean {
  return grants.some(
    (grant) =>
      grant.namespace === '*' && (roles === null || grant.roles.some((role) => roles.includes(role))),
  );
}
