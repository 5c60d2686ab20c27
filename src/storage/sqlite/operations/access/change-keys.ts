import type { AccessStore } from '../../../../engine/ports/access/access-store.js';
import type { Connection } from '../../connection/connection.js';
import { recordActOf, withAct } from '../audit/record-acts.js';
import { ColumnList } from '../column-list.js';
import {
  MARK_KEYS_USED,
  REVOKE_KEY,
  ROTATE_KEY,
  type Operation,
  type OperationReader,
} from '../operation.js';
import { moveAccessCounter } from './access-counter.js';

const ROTATION = new ColumnList({
  id: 'text',
  secret_hash: 'text',
  former_until: 'number',
  now: 'number',
});

/** What is forgotten at once is not written at all. */
const ROTATE = `
  UPDATE access_keys SET
    former_hash = CASE WHEN ?3 > ?4 THEN secret_hash END,
    former_until = CASE WHEN ?3 > ?4 THEN ?3 END,
    secret_hash = ?2
  WHERE id = ?1 AND revoked_at IS NULL AND expires_at > ?4`;

/** UNION, not UNION ALL: it ends whatever a row says of who made it. */
const withWhatWasMade = (roots: string): string => `
  WITH RECURSIVE meant (id) AS (
    ${roots}
    UNION
    SELECT made.id FROM access_keys AS made JOIN meant ON made.made_by_key = meant.id
  )
  UPDATE access_keys SET revoked_at = ?2 WHERE revoked_at IS NULL AND id IN (SELECT id FROM meant)`;

const REVOKE = withWhatWasMade('SELECT id FROM access_keys WHERE id = ?1 AND revoked_at IS NULL');
const REVOKE_OF_OWNER = withWhatWasMade('SELECT id FROM access_keys WHERE owner = ?1');

const MARK_USED = `
  UPDATE access_keys SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)`;

export function rotateKeyOperation({
  id,
  secretHash: secret_hash,
  formerUntil: former_until,
  now,
  audit,
}: Parameters<AccessStore['rotateKey']>[0]): Operation {
  return withAct([ROTATE_KEY, ...ROTATION.row({ id, secret_hash, former_until, now })], audit);
}

/** How many were rotated: one, or none. */
export function rotateKey(connection: Connection, operation: OperationReader): number {
  return moved(connection, operation, connection.statement(ROTATE).run(...ROTATION.read(operation)));
}

export function revokeKeyOperation({ id, now, audit }: Parameters<AccessStore['revokeKey']>[0]): Operation {
  return withAct([REVOKE_KEY, id, now], audit);
}

/** How many were revoked, with those that it made. */
export function revokeKey(connection: Connection, operation: OperationReader): number {
  const [id, now] = [operation.text(), operation.number()];
  return moved(connection, operation, connection.statement(REVOKE).run(id, now));
}

/** Does not move the counter: whoever revokes an owner does. */
export function revokeKeysOfOwner(connection: Connection, owner: string, now: number): void {
  connection.statement(REVOKE_OF_OWNER).run(owner, now);
}

export function markUsedOperation({ ids, at }: Parameters<AccessStore['markUsed']>[0]): Operation {
  return [MARK_KEYS_USED, at, ...ids];
}

export function markUsed(connection: Connection, operation: OperationReader): void {
  const at = operation.number();
  while (operation.hasMore) connection.statement(MARK_USED).run(operation.text(), at);
}

function moved(
  connection: Connection,
  operation: OperationReader,
  { changes }: { readonly changes: number | bigint },
): number {
  if (Number(changes) > 0) {
    recordActOf(connection, operation);
    moveAccessCounter(connection);
  }
  return Number(changes);
}
