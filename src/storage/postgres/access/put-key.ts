import {
  REVOCATION_SPREAD_MS,
  type AccessStore,
  type PutKeyResult,
} from '../../../engine/ports/access/access-store.js';
import { numberOf } from '../database/columns.js';
import type { Database, Query } from '../database/database.js';
import { escaped } from '../database/escaped.js';
import { changeAccess } from './access-changes.js';
import { INSERT_KEY, keyValues } from './keys.js';
import { readOwnerRevokedAt } from './owner-revocations.js';

type PutKeyRequest = Parameters<AccessStore['putKey']>[0];

const LIVE = 'revoked_at IS NULL AND expires_at >';
const ENDED = '(revoked_at IS NOT NULL OR expires_at <= $1::bigint)';

const COUNT_LIVE = `
  SELECT count(*) AS count FROM @.access_keys WHERE id = ANY ($1::text[]) AND ${LIVE} $2::bigint`;
const COUNT_OF_OWNER = `
  SELECT count(*) AS count FROM @.access_keys WHERE owner = $1::text AND ${LIVE} $2::bigint`;
const COUNT = `SELECT count(*) AS count FROM @.access_keys WHERE ${LIVE} $1::bigint`;

const REMOVE_ENDED_OF_OWNER = `
  DELETE FROM @.access_keys WHERE id IN (
    SELECT id FROM @.access_keys WHERE owner = $3::text AND ${ENDED}
    ORDER BY created_at DESC, id DESC OFFSET $2::bigint)`;
const REMOVE_ENDED = `
  DELETE FROM @.access_keys WHERE id IN (
    SELECT id FROM @.access_keys WHERE ${ENDED} ORDER BY created_at DESC, id DESC OFFSET $2::bigint)`;

export function putKey(database: Database, request: PutKeyRequest): Promise<PutKeyResult> {
  // It may wait, and what it was given is the caller's.
  const values = keyValues(request.key);
  const { mostOfOwner, mostInAll, now, audit } = request;
  const owner = escaped(request.key.owner);
  const isMakerLive = makerCheck(request);
  const put = async (query: Query): Promise<PutKeyResult> => {
    if (!(await isMakerLive(query))) return 'maker-ended';
    if ((await countOf(query, COUNT_OF_OWNER, [owner, now])) >= mostOfOwner) return 'owner-full';
    if ((await countOf(query, COUNT, [now])) >= mostInAll) return 'full';
    await query(INSERT_KEY, values);
    await query(REMOVE_ENDED_OF_OWNER, [now, mostOfOwner, owner]);
    await query(REMOVE_ENDED, [now, mostInAll]);
    return 'kept';
  };
  return changeAccess(database, put, (result) => result === 'kept', audit);
}

function makerCheck({ key, now, askedBy = null }: PutKeyRequest): (query: Query) => Promise<boolean> {
  const { madeBy, madeByKey } = key;
  const makers = [...new Set([madeByKey, askedBy])].flatMap((id) => (id === null ? [] : [escaped(id)]));
  return async (query) => {
    const revokedAt = madeBy === null ? null : await readOwnerRevokedAt(query, { owner: madeBy });
    if (revokedAt !== null && revokedAt > now - REVOCATION_SPREAD_MS) return false;
    return makers.length === 0 || (await countOf(query, COUNT_LIVE, [makers, now])) === makers.length;
  };
}

async function countOf(query: Query, sql: string, values: Parameters<Query>[1]): Promise<number> {
  const [columns = {}] = await query(sql, values);
  return numberOf(columns, 'count');
}
