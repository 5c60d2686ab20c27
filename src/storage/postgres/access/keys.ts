import {
  type AccessMethod,
  MAX_LISTED_KEYS,
  type AccessStore,
  type StoredKey,
} from '../../../engine/ports/access/access-store.js';
import { isGrantedEverywhere } from '../../../engine/ports/access/key-life.js';
import { numberOf, numberOrNull, textOf, textOrNull } from '../database/columns.js';
import type { Columns, Query, SqlValue } from '../database/database.js';
import { escaped, unescaped } from '../database/escaped.js';

type Request<Method extends AccessMethod> = Parameters<AccessStore[Method]>[0];

const COLUMNS =
  'id, secret_hash, former_hash, former_until, owner, name, groups, grants, made_by_key, made_by_token, made_by, created_at, ' +
  'expires_at, last_used_at, revoked_at';

/** `keyValues` has the values. */
export const INSERT_KEY = `
  INSERT INTO @.access_keys (${COLUMNS}, is_everywhere) VALUES ($1::text, $2::text, $3::text, $4::bigint, $5::text, $6::text,
    $7::text, $8::text, $9::text, $10::text, $11::text, $12::bigint, $13::bigint, $14::bigint, $15::bigint, $16::boolean)`;

const FIND = `SELECT ${COLUMNS} FROM @.access_keys WHERE id = $1::text`;

const ORDER = 'ORDER BY created_at DESC, id DESC LIMIT';
const LIST = `
  SELECT ${COLUMNS} FROM @.access_keys WHERE (created_at, id) < ($1::bigint, $2::text) ${ORDER} $3::bigint`;
const LIST_OF_OWNER = `
  SELECT ${COLUMNS} FROM @.access_keys
  WHERE owner = $1::text AND (created_at, id) < ($2::bigint, $3::text) ${ORDER} $4::bigint`;

const PAGE = 200;
const EVERYWHERE = `
  SELECT id, grants FROM @.access_keys
  WHERE is_everywhere AND revoked_at IS NULL AND expires_at > $1::bigint AND id > $2::text ORDER BY id LIMIT ${PAGE}`;

export function keyValues(key: StoredKey): readonly SqlValue[] {
  return [
    escaped(key.id),
    escaped(key.secretHash),
    key.formerHash === null ? null : escaped(key.formerHash),
    key.formerUntil,
    escaped(key.owner),
    key.name === null ? null : escaped(key.name),
    JSON.stringify(key.groups),
    JSON.stringify(key.grants),
    key.madeByKey === null ? null : escaped(key.madeByKey),
    key.madeByToken === null ? null : JSON.stringify(key.madeByToken),
    key.madeBy === null ? null : escaped(key.madeBy),
    key.createdAt,
    key.expiresAt,
    key.lastUsedAt,
    key.revokedAt,
    isGrantedEverywhere(key.grants),
  ];
}

export async function findKey(query: Query, { id }: Request<'findKey'>): Promise<StoredKey | null> {
  const [columns] = await query(FIND, [escaped(id)]);
  return columns === undefined ? null : keyOf(columns);
}

export async function listKeys(
  query: Query,
  { owner, before, limit }: Request<'listKeys'>,
): Promise<readonly StoredKey[]> {
  const { createdAt, id } = before ?? { createdAt: Number.MAX_SAFE_INTEGER, id: '' };
  const page = [createdAt, escaped(id), Math.min(limit, MAX_LISTED_KEYS)];
  const rows =
    owner === null ? await query(LIST, page) : await query(LIST_OF_OWNER, [escaped(owner), ...page]);
  return rows.map(keyOf);
}

/** Page by page, and no further than the first such key. */
export async function hasLiveManager(
  query: Query,
  { roles, now }: Request<'hasLiveManager'>,
): Promise<boolean> {
  for (let after: string | null = ''; after !== null;) {
    const rows: readonly Columns[] = await query(EVERYWHERE, [now, after]);
    if (rows.some((columns) => isGrantedEverywhere(grantsOf(columns), roles))) return true;
    const last = rows.at(-1);
    after = last === undefined || rows.length < PAGE ? null : textOf(last, 'id');
  }
  return false;
}

function keyOf(columns: Columns): StoredKey {
  return {
    id: unescaped(textOf(columns, 'id')),
    secretHash: unescaped(textOf(columns, 'secret_hash')),
    formerHash: unescapedOrNull(columns, 'former_hash'),
    formerUntil: numberOrNull(columns, 'former_until'),
    owner: unescaped(textOf(columns, 'owner')),
    name: unescapedOrNull(columns, 'name'),
    groups: JSON.parse(textOf(columns, 'groups')) as StoredKey['groups'],
    grants: grantsOf(columns),
    madeByKey: unescapedOrNull(columns, 'made_by_key'),
    madeByToken: JSON.parse(textOrNull(columns, 'made_by_token') ?? 'null') as StoredKey['madeByToken'],
    madeBy: unescapedOrNull(columns, 'made_by'),
    createdAt: numberOf(columns, 'created_at'),
    expiresAt: numberOf(columns, 'expires_at'),
    lastUsedAt: numberOrNull(columns, 'last_used_at'),
    revokedAt: numberOrNull(columns, 'revoked_at'),
  };
}

function unescapedOrNull(columns: Columns, name: string): string | null {
  const text = textOrNull(columns, name);
  return text === null ? null : unescaped(text);
}

function grantsOf(columns: Columns): StoredKey['grants'] {
  return JSON.parse(textOf(columns, 'grants')) as StoredKey['grants'];
}
