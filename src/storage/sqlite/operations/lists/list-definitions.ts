import type { DefinitionStore } from '../../../../engine/ports/store/definition-store.js';
import { numberOf, textOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';

export type ListDefinitionsRequest = Parameters<DefinitionStore['listDefinitions']>[0];
export type ListedDefinitions = Awaited<ReturnType<DefinitionStore['listDefinitions']>>;

const LIST = `
  SELECT hash, registered_at FROM definitions
  WHERE namespace = ? AND workflow_id = ? AND (registered_at, hash) < (?, ?)
  ORDER BY registered_at DESC, hash DESC LIMIT ?`;

export function listDefinitions(connection: Connection, request: ListDefinitionsRequest): ListedDefinitions {
  const { namespace, workflowId, before, limit } = request;
  const cursor = [before?.registeredAt ?? Number.MAX_SAFE_INTEGER, before?.hash ?? ''] as const;
  return connection
    .statement(LIST)
    .all(namespace, workflowId, ...cursor, limit)
    .map((columns) => ({ hash: textOf(columns, 'hash'), registeredAt: numberOf(columns, 'registered_at') }));
}
