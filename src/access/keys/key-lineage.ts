import type { AccessStore, Grant, Roles, StoredKey } from '../../engine/index.js';
import { isLiveKey } from '../../engine/ports/access/key-life.js';
import type { AccessRules } from '../grants/access-rules.js';
import { commonGrants } from '../grants/common-grants.js';

/** How many keys may stand above one another as makers. */
export const MAX_MAKERS = 8;

/**
 * A key and the keys that made it, the nearest first; null: one of them is not live, or there are too many. The store revokes what
 * a key made along with it; what was being made in that very moment, only its makers tell.
 */
export async function lineageOf(
  key: StoredKey,
  { store, now }: { readonly store: Pick<AccessStore, 'findKey'>; readonly now: () => number },
): Promise<readonly StoredKey[] | null> {
  const lineage: StoredKey[] = [];
  for (let next: StoredKey | null = key; next !== null && isLiveKey(next, now());) {
    lineage.push(next);
    if (next.madeByKey === null) return lineage;
    if (lineage.length > MAX_MAKERS) return null;
    next = await store.findKey({ id: next.madeByKey });
  }
  return null;
}

/** What a key may do: where a token made it, or one of its makers, no more than the file gives those now. */
export function grantsOfKey(lineage: readonly StoredKey[], rules: AccessRules): readonly Grant[] {
  const roles: Roles = rules.roles;
  return lineage.reduce<readonly Grant[]>(
    (grants, { madeByToken }) =>
      madeByToken === null ? grants : commonGrants(grants, rules.grantsOf(madeByToken), roles),
    lineage[0]?.grants ?? [],
  );
}
