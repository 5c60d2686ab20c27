import {
  REVOCATION_SPREAD_MS,
  type AccessStore,
  type PutKeyResult,
} from '../../../../engine/ports/access/access-store.js';
import { numberOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { recordActOf, withAct } from '../audit/record-acts.js';
import { ColumnList, type RowOf } from '../column-list.js';
import { PUT_KEY, type Operation, type OperationReader } from '../operation.js';
import { moveAccessCounter } from './access-counter.js';
import { KEY, keyRow } from './keys.js';
import { readOwnerRevokedAt } from './owner-revocations.js';

const LIMITS = new ColumnList({
  most_of_owner: 'number',
  most_in_all: 'number',
  now: 'number',
  asked_by: 'text or null',
});
type Limits = RowOf<typeof LIMITS>;

const IS_LIVE = `
  SELECT 1 FROM access_keys WHERE id = ? AND revoked_at IS NULL AND expires_at > ?`;
const COUNT_OF_OWNER = `
  SELECT count(*) AS count FROM access_keys WHERE owner = ?1 AND revoked_at IS NULL AND expires_at > ?2`;
const COUNT = `
  SELECT count(*) AS count FROM access_keys WHERE revoked_at IS NULL AND expires_at > ?`;
const INSERT = `INSERT INTO access_keys (${KEY.names}) VALUES (${KEY.marks})`;

const ENDED = '(revoked_at IS NOT NULL OR expires_at <= ?1)';
const REMOVE_ENDED_OF_OWNER = `
  DELETE FROM access_keys WHERE id IN (
    SELECT id FROM access_keys WHERE owner = ?3 AND ${ENDED} ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?2)`;
const REMOVE_ENDED = `
  DELETE FROM access_keys WHERE id IN (
    SELECT id FROM access_keys WHERE ${ENDED} ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?2)`;

export function putKeyOperation({
  key,
  mostOfOwner: most_of_owner,
  mostInAll: most_in_all,
  now,
  askedBy: asked_by = null,
  audit,
}: Parameters<AccessStore['putKey']>[0]): Operation {
  const limits = LIMITS.row({ most_of_owner, most_in_all, now, asked_by });
  return withAct([PUT_KEY, ...limits, ...keyRow(key)], audit);
}

export function putKey(connection: Connection, operation: OperationReader): PutKeyResult {
  const limits = LIMITS.read(operation);
  const key = KEY.read(operation);
  const [now, owner] = [LIMITS.field(limits, 'now'), KEY.field(key, 'owner')];
  const [mostOfOwner, mostInAll] = [
    LIMITS.field(limits, 'most_of_owner'),
    LIMITS.field(limits, 'most_in_all'),
  ];
  if (hasMakerEnded(connection, key, limits)) return 'maker-ended';
  if (countIn(connection.statement(COUNT_OF_OWNER).get(owner, now)) >= mostOfOwner) return 'owner-full';
  if (countIn(connection.statement(COUNT).get(now)) >= mostInAll) return 'full';
  connection.statement(INSERT).run(...key);
  connection.statement(REMOVE_ENDED_OF_OWNER).run(now, mostOfOwner, owner);
  connection.statement(REMOVE_ENDED).run(now, mostInAll);
  recordActOf(connection, operation);
  moveAccessCounter(connection);
  return 'kept';
}

function hasMakerEnded(connection: Connection, key: RowOf<typeof KEY>, limits: Limits): boolean {
  const now = LIMITS.field(limits, 'now');
  const owner = KEY.field(key, 'made_by');
  const revokedAt = owner === null ? null : readOwnerRevokedAt(connection, owner);
  if (revokedAt !== null && revokedAt > now - REVOCATION_SPREAD_MS) return true;
  return [KEY.field(key, 'made_by_key'), LIMITS.field(limits, 'asked_by')].some(
    (id) => id !== null && connection.statement(IS_LIVE).get(id, now) === undefined,
  );
}

function countIn(columns: Parameters<typeof numberOf>[0] = {}): number {
  return numberOf(columns, 'count');
}
