import {
  MAX_LISTED_KEYS,
  type AccessStore,
  type StoredKey,
} from '../../../../engine/ports/access/access-store.js';
import { isGrantedEverywhere } from '../../../../engine/ports/access/key-life.js';
import { numberOf, numberOrNull, textOf, textOrNull, type Columns } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { ColumnList, type RowOf } from '../column-list.js';

export type ListKeysRequest = Parameters<AccessStore['listKeys']>[0];
export type HasLiveManagerRequest = Parameters<AccessStore['hasLiveManager']>[0];

export const KEY = new ColumnList({
  id: 'text',
  secret_hash: 'text',
  former_hash: 'text or null',
  former_until: 'number or null',
  created_at: 'number',
  expires_at: 'number',
  last_used_at: 'number or null',
  revoked_at: 'number or null',
  is_everywhere: 'number',
  made_by_key: 'text or null',
  made_by: 'text or null',
  owner: 'text',
  name: 'text or null',
  groups: 'text',
  made_by_token: 'text or null',
  grants: 'text',
});

const FIND = `SELECT ${KEY.names} FROM access_keys WHERE id = ?`;

const ORDER = 'ORDER BY created_at DESC, id DESC LIMIT ?';
const LIST = `
  SELECT ${KEY.names} FROM access_keys WHERE (created_at, id) < (?, ?) ${ORDER}`;
const LIST_OF_OWNER = `
  SELECT ${KEY.names} FROM access_keys WHERE owner = ? AND (created_at, id) < (?, ?) ${ORDER}`;

/** By name: without statistics of the table, the index of all that are not revoked looks as good. */
const EVERYWHERE = `
  SELECT grants FROM access_keys INDEXED BY access_keys_everywhere
  WHERE is_everywhere = 1 AND revoked_at IS NULL AND expires_at > ?`;

export function keyRow(key: StoredKey): RowOf<typeof KEY> {
  return KEY.row({
    id: key.id,
    secret_hash: key.secretHash,
    former_hash: key.formerHash,
    former_until: key.formerUntil,
    owner: key.owner,
    name: key.name,
    groups: JSON.stringify(key.groups),
    grants: JSON.stringify(key.grants),
    is_everywhere: isGrantedEverywhere(key.grants) ? 1 : 0,
    made_by_key: key.madeByKey,
    made_by_token: key.madeByToken === null ? null : JSON.stringify(key.madeByToken),
    made_by: key.madeBy,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
  });
}

export function findKey(connection: Connection, id: string): StoredKey | null {
  const columns = connection.statement(FIND).get(id);
  return columns === undefined ? null : keyOf(columns);
}

export function listKeys(
  connection: Connection,
  { owner, before, limit }: ListKeysRequest,
): readonly StoredKey[] {
  // No id comes after the empty one at the end of time, in either direction.
  const { createdAt, id } = before ?? { createdAt: Number.MAX_SAFE_INTEGER, id: '' };
  const page = [createdAt, id, Math.min(limit, MAX_LISTED_KEYS)] as const;
  const rows =
    owner === null
      ? connection.statement(LIST).all(...page)
      : connection.statement(LIST_OF_OWNER).all(owner, ...page);
  return rows.map(keyOf);
}

/** Reads no further than the first such key. */
export function hasLiveManager(connection: Connection, { roles, now }: HasLiveManagerRequest): boolean {
  for (const columns of connection.statement(EVERYWHERE).iterate(now)) {
    if (isGrantedEverywhere(grantsOf(columns), roles)) return true;
  }
  return false;
}

function keyOf(columns: Columns): StoredKey {
  return {
    id: textOf(columns, 'id'),
    secretHash: textOf(columns, 'secret_hash'),
    formerHash: textOrNull(columns, 'former_hash'),
    formerUntil: numberOrNull(columns, 'former_until'),
    owner: textOf(columns, 'owner'),
    name: textOrNull(columns, 'name'),
    groups: JSON.parse(textOf(columns, 'groups')) as StoredKey['groups'],
    grants: grantsOf(columns),
    madeByKey: textOrNull(columns, 'made_by_key'),
    madeByToken: JSON.parse(textOrNull(columns, 'made_by_token') ?? 'null') as StoredKey['madeByToken'],
    madeBy: textOrNull(columns, 'made_by'),
    createdAt: numberOf(columns, 'created_at'),
    expiresAt: numberOf(columns, 'expires_at'),
    lastUsedAt: numberOrNull(columns, 'last_used_at'),
    revokedAt: numberOrNull(columns, 'revoked_at'),
  };
}

function grantsOf(columns: Columns): StoredKey['grants'] {
  return JSON.parse(textOf(columns, 'grants')) as StoredKey['grants'];
}
