import type { AccessMethod, AccessStore } from '../../../engine/ports/access/access-store.js';
import type { Database, Query } from '../database/database.js';
import { escaped } from '../database/escaped.js';
import { changeAccess, LOCK_KEYS } from './access-changes.js';

type Request<Method extends AccessMethod> = Parameters<AccessStore[Method]>[0];

/** What is forgotten at once is not written at all. */
const ROTATE = `
  UPDATE @.access_keys SET
    former_hash = CASE WHEN $3::bigint > $4::bigint THEN secret_hash END,
    former_until = CASE WHEN $3::bigint > $4::bigint THEN $3::bigint END,
    secret_hash = $2::text
  WHERE id = $1::text AND revoked_at IS NULL AND expires_at > $4::bigint
  RETURNING id`;

/** UNION, not UNION ALL: it ends whatever a row says of who made it. */
const withWhatWasMade = (roots: string): string => `
  WITH RECURSIVE meant (id) AS (
    ${roots}
    UNION
    SELECT made.id FROM @.access_keys AS made JOIN meant ON made.made_by_key = meant.id
  )
  UPDATE @.access_keys SET revoked_at = $2::bigint
  WHERE revoked_at IS NULL AND id IN (SELECT id FROM meant)
  RETURNING id`;

const REVOKE = withWhatWasMade('SELECT id FROM @.access_keys WHERE id = $1::text AND revoked_at IS NULL');
const REVOKE_OF_OWNER = withWhatWasMade('SELECT id FROM @.access_keys WHERE owner = $1::text');

/** Locked in one order: replicas of builds that mark without the lock of all changes may do so at the same moment. */
const MARK_USED = `
  UPDATE @.access_keys AS used SET last_used_at = $2::bigint
  FROM (
    SELECT id FROM @.access_keys
    WHERE id = ANY ($1::text[]) AND (last_used_at IS NULL OR last_used_at < $2::bigint) ORDER BY id FOR UPDATE
  ) AS meant
  WHERE used.id = meant.id`;

export function rotateKey(database: Database, request: Request<'rotateKey'>): Promise<boolean> {
  const values = [escaped(request.id), escaped(request.secretHash), request.formerUntil, request.now];
  return changeAccess(database, (query) => changesAny(query, ROTATE, values), Boolean, request.audit);
}

/** With what it made, to any depth, in the one statement. */
export function revokeKey(database: Database, { id, now, audit }: Request<'revokeKey'>): Promise<boolean> {
  return changeAccess(database, (query) => changesAny(query, REVOKE, [escaped(id), now]), Boolean, audit);
}

/** Within the transaction of whoever revokes the owner. */
export async function revokeKeysOfOwner(query: Query, owner: string, now: number): Promise<void> {
  await query(REVOKE_OF_OWNER, [escaped(owner), now]);
}

/** Moves no counter. Whoever revokes locks many keys, too, in whatever order it finds them: one comes after the other. */
export async function markUsed(database: Database, { ids, at }: Request<'markUsed'>): Promise<void> {
  if (ids.length === 0) return;
  await database.transaction(async (query) => {
    await query(LOCK_KEYS);
    await query(MARK_USED, [ids.map(escaped), at]);
  });
}

async function changesAny(query: Query, sql: string, values: Parameters<Query>[1]): Promise<boolean> {
  return (await query(sql, values)).length > 0;
}
