import type { AccessStore } from '../../../engine/ports/access/access-store.js';
import { numberOf } from '../database/columns.js';
import type { Database, Query } from '../database/database.js';
import { escaped } from '../database/escaped.js';
import { changeAccess } from './access-changes.js';
import { revokeKeysOfOwner } from './change-keys.js';

const READ = 'SELECT revoked_at FROM @.owner_revocations WHERE owner = $1::text';
const WRITE = `
  INSERT INTO @.owner_revocations AS known (owner, revoked_at) VALUES ($1::text, $2::bigint)
  ON CONFLICT (owner) DO UPDATE SET revoked_at = greatest(known.revoked_at, excluded.revoked_at)`;
const PRUNE = 'DELETE FROM @.owner_revocations WHERE revoked_at < $1::bigint';

export async function readOwnerRevokedAt(
  query: Query,
  { owner }: Parameters<AccessStore['ownerRevokedAt']>[0],
): Promise<number | null> {
  const [columns] = await query(READ, [escaped(owner)]);
  return columns === undefined ? null : numberOf(columns, 'revoked_at');
}

export async function revokeOwner(
  database: Database,
  { owner, now, keptSince, audit }: Parameters<AccessStore['revokeOwner']>[0],
): Promise<void> {
  const revoke = async (query: Query): Promise<void> => {
    await revokeKeysOfOwner(query, owner, now);
    await query(WRITE, [escaped(owner), now]);
    await query(PRUNE, [keptSince]);
  };
  await changeAccess(database, revoke, () => true, audit);
}
