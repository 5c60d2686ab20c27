import type { JsonObject } from '../../../engine/core/json.js';
import type { DefinitionStore, StoredDefinition } from '../../../engine/ports/store/definition-store.js';
import { numberOf, textOf, textOrNull } from '../database/columns.js';
import type { Query, SqlValue } from '../database/database.js';
import { escaped, unescaped } from '../database/escaped.js';

export type SaveDefinitionRequest = Parameters<DefinitionStore['saveDefinition']>[0];
export type ReadDefinitionRequest = Parameters<DefinitionStore['readDefinition']>[0];

const READ = `
  SELECT workflow_id, yaml, bindings, plan, registered_at FROM @.definitions
  WHERE namespace = $1::text AND hash = $2::text`;

const INSERT = `
  INSERT INTO @.definitions AS kept (namespace, hash, workflow_id, yaml, bindings, plan, registered_at)
  VALUES ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bigint)
  ON CONFLICT (namespace, hash)`;
const KEEP = `${INSERT} DO NOTHING`;

/** Takes `definitionValues`. A definition without a plan does not remove the stored one. */
export const SAVE_DEFINITION = `${INSERT} DO UPDATE SET
    workflow_id = excluded.workflow_id, yaml = excluded.yaml, bindings = excluded.bindings,
    plan = coalesce(excluded.plan, kept.plan), registered_at = excluded.registered_at`;

export async function readDefinition(
  query: Query,
  { namespace, hash }: ReadDefinitionRequest,
): Promise<StoredDefinition | null> {
  const [columns] = await query(READ, [escaped(namespace), escaped(hash)]);
  if (columns === undefined) return null;
  const bindings: JsonObject = JSON.parse(textOf(columns, 'bindings'));
  const plan = textOrNull(columns, 'plan');
  return {
    namespace,
    hash,
    workflowId: unescaped(textOf(columns, 'workflow_id')),
    yaml: unescaped(textOf(columns, 'yaml')),
    bindings,
    plan: plan === null ? null : unescaped(plan),
    registeredAt: numberOf(columns, 'registered_at'),
  };
}

export async function saveDefinition(query: Query, definition: SaveDefinitionRequest): Promise<void> {
  await query(definition.unlessKept === true ? KEEP : SAVE_DEFINITION, definitionValues(definition));
}

/** To be made before anything is waited for: the caller may change its objects afterwards. */
export function definitionValues(definition: StoredDefinition): readonly SqlValue[] {
  const { namespace, hash, workflowId, yaml, bindings, plan, registeredAt } = definition;
  return [
    escaped(namespace),
    escaped(hash),
    escaped(workflowId),
    escaped(yaml),
    JSON.stringify(bindings),
    plan === null ? null : escaped(plan),
    registeredAt,
  ];
}
