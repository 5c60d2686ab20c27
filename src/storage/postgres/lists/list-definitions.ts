import type { DefinitionStore } from '../../../engine/ports/store/definition-store.js';
import { numberOf, textOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { escaped, unescaped } from '../database/escaped.js';

export type ListDefinitionsRequest = Parameters<DefinitionStore['listDefinitions']>[0];
export type ListedDefinitions = Awaited<ReturnType<DefinitionStore['listDefinitions']>>;

/** The column `hash` has the collation "C": its order is that of bytes, as in every other store. */
const LIST = `
  SELECT hash, registered_at FROM @.definitions
  WHERE namespace = $1::text AND workflow_id = $2::text AND (registered_at, hash) < ($3::bigint, $4::text)
  ORDER BY registered_at DESC, hash DESC LIMIT $5::integer`;

export async function listDefinitions(
  query: Query,
  { namespace, workflowId, before, limit }: ListDefinitionsRequest,
): Promise<ListedDefinitions> {
  const cursor = [before?.registeredAt ?? Number.MAX_SAFE_INTEGER, escaped(before?.hash ?? '')];
  const rows = await query(LIST, [escaped(namespace), escaped(workflowId), ...cursor, limit]);
  return rows.map((columns) => ({
    hash: unescaped(textOf(columns, 'hash')),
    registeredAt: numberOf(columns, 'registered_at'),
  }));
}
