import type { AccessStore, PutKeyResult, StoredKey } from '../../../../ports/access/access-store.js';

export const NOON = Date.UTC(2026, 5, 1, 12);
export const DAY_MS = 86_400_000;

/** A key of ann that nobody made, from noon on, for a day. */
export function sampleKey(id: string, changes: Partial<StoredKey> = {}): StoredKey {
  return {
    id,
    secretHash: `hash of ${id}`,
    formerHash: null,
    formerUntil: null,
    owner: 'ann',
    name: `key ${id}`,
    groups: ['billing'],
    grants: [{ namespace: 'acme', roles: ['viewer'], workflows: ['invoices-*'] }],
    madeByKey: null,
    madeByToken: null,
    madeBy: null,
    createdAt: NOON,
    expiresAt: NOON + DAY_MS,
    lastUsedAt: null,
    revokedAt: null,
    ...changes,
  };
}

type PutRequest = Parameters<AccessStore['putKey']>[0];

/** Puts it at noon, with room for ten of an owner and twenty in all. */
export function put(
  access: AccessStore,
  key: StoredKey,
  changes: Partial<PutRequest> = {},
): Promise<PutKeyResult> {
  return access.putKey({ key, mostOfOwner: 10, mostInAll: 20, now: NOON, ...changes });
}

export async function idsIn(access: AccessStore, owner: string | null = null): Promise<readonly string[]> {
  const keys = await access.listKeys({ owner, before: null, limit: 200 });
  return keys.map(({ id }) => id);
}

/** The ids of those that are revoked, in their order. */
export async function revokedIn(access: AccessStore): Promise<readonly string[]> {
  const keys = await access.listKeys({ owner: null, before: null, limit: 200 });
  return keys.flatMap(({ id, revokedAt }) => (revokedAt === null ? [] : [id])).toSorted();
}
