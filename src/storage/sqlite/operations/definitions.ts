import type { JsonObject } from '../../../engine/core/json.js';
import type { StoredDefinition } from '../../../engine/ports/store/definition-store.js';
import { numberOf, textOf, textOrNull } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import type { OperationReader } from '../writer/operation.js';

const READ = `
  SELECT workflow_id, yaml, bindings, plan, registered_at FROM definitions WHERE namespace = ? AND hash = ?`;

const INSERT = `
  INSERT INTO definitions (namespace, hash, workflow_id, yaml, bindings, plan, registered_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

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

/** Returns what a registration of it needs. See `definitionValues` for the order. */
export function saveDefinition(
  connection: Connection,
  operation: OperationReader,
  unlessKept = false,
): Pick<StoredDefinition, 'namespace' | 'hash' | 'workflowId' | 'registeredAt'> {
  const namespace = operation.text();
  const hash = operation.text();
  const workflowId = operation.text();
  const rest = [operation.text(), operation.text(), operation.textOrNull()] as const;
  const registeredAt = operation.number();
  connection.statement(unlessKept ? KEEP : SAVE).run(namespace, hash, workflowId, ...rest, registeredAt);
  return { namespace, hash, workflowId, registeredAt };
}
