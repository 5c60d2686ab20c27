import type { AccessStore } from '../../../../engine/ports/access/access-store.js';
import { numberOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { recordActOf, withAct } from '../audit/record-acts.js';
import { REVOKE_OWNER, type Operation, type OperationReader } from '../operation.js';
import { moveAccessCounter } from './access-counter.js';
import { revokeKeysOfOwner } from './change-keys.js';

const READ = 'SELECT revoked_at FROM owner_revocations WHERE owner = ?';
const WRITE = `
  INSERT INTO owner_revocations (owner, revoked_at) VALUES (?, ?)
  ON CONFLICT (owner) DO UPDATE SET revoked_at = max(revoked_at, excluded.revoked_at)`;
const PRUNE = 'DELETE FROM owner_revocations WHERE revoked_at < ?';

export function readOwnerRevokedAt(connection: Connection, owner: string): number | null {
  const columns = connection.statement(READ).get(owner);
  return columns === undefined ? null : numberOf(columns, 'revoked_at');
}

export function revokeOwnerOperation({
  owner,
  now,
  keptSince,
  audit,
}: Parameters<AccessStore['revokeOwner']>[0]): Operation {
  return withAct([REVOKE_OWNER, owner, now, keptSince], audit);
}

export function revokeOwner(connection: Connection, operation: OperationReader): void {
  const [owner, now, keptSince] = [operation.text(), operation.number(), operation.number()];
  revokeKeysOfOwner(connection, owner, now);
  connection.statement(WRITE).run(owner, now);
  connection.statement(PRUNE).run(keptSince);
  recordActOf(connection, operation);
  moveAccessCounter(connection);
}
