import type { JsonObject } from '../../../../engine/core/json.js';
import type { StoredDefinition } from '../../../../engine/ports/store/definition-store.js';
import { numberOf, textOf, textOrNull } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { ColumnList, type RowOf } from '../column-list.js';
import { KEEP_DEFINITION, SAVE_DEFINITION, type Operation, type OperationReader } from '../operation.js';

export const DEFINITION = new ColumnList({
  namespace: 'text',
  hash: 'text',
  workflow_id: 'text',
  yaml: 'text',
  bindings: 'text',
  plan: 'text or null',
  registered_at: 'number',
});
type DefinitionRow = RowOf<typeof DEFINITION>;

const READ = `SELECT ${DEFINITION.names} FROM definitions WHERE namespace = ? AND hash = ?`;
const INSERT = `INSERT INTO definitions (${DEFINITION.names}) VALUES (${DEFINITION.marks})`;
const KEEP = `${INSERT} ON CONFLICT (namespace, hash) DO NOTHING`;

/** A definition without a plan (it was written before plans were stored) does not remove the stored one. */
const SAVE = `${INSERT}
  ON CONFLICT (namespace, hash) DO UPDATE SET
    workflow_id = excluded.workflow_id, yaml = excluded.yaml, bindings = excluded.bindings,
    plan = coalesce(excluded.plan, plan), registered_at = excluded.registered_at`;

export function readDefinition(
  connection: Connection,
  namespace: string,
  hash: string,
): StoredDefinition | null {
  const columns = connection.statement(READ).get(namespace, hash);
  if (columns === undefined) return null;
  const bindings: JsonObject = JSON.parse(textOf(columns, 'bindings'));
  return {
    namespace,
    hash,
    workflowId: textOf(columns, 'workflow_id'),
    yaml: textOf(columns, 'yaml'),
    bindings,
    plan: textOrNull(columns, 'plan'),
    registeredAt: numberOf(columns, 'registered_at'),
  };
}

export function definitionRow(definition: StoredDefinition): DefinitionRow {
  const { namespace, hash, workflowId: workflow_id, yaml, plan, registeredAt: registered_at } = definition;
  const bindings = JSON.stringify(definition.bindings);
  return DEFINITION.row({ namespace, hash, workflow_id, yaml, bindings, plan, registered_at });
}

export function saveDefinitionOperation(
  definition: StoredDefinition & { readonly unlessKept?: true },
): Operation {
  const kind = definition.unlessKept === true ? KEEP_DEFINITION : SAVE_DEFINITION;
  return [kind, ...definitionRow(definition)];
}

/** Returns what was saved. */
export function saveDefinition(
  connection: Connection,
  operation: OperationReader,
  unlessKept = false,
): DefinitionRow {
  const definition = DEFINITION.read(operation);
  connection.statement(unlessKept ? KEEP : SAVE).run(...definition);
  return definition;
}
