import type { JsonObject } from '../../../engine/core/json.js';
import type { StoredDefinition } from '../../../engine/ports/run-store.js';
import { numberOf, textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import type { OperationReader } from '../writer/operation.js';

const READ = 'SELECT workflow_id, yaml, bindings, registered_at FROM definitions WHERE hash = ?';

const SAVE = `
  INSERT INTO definitions (hash, workflow_id, yaml, bindings, registered_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (hash) DO UPDATE SET
    workflow_id = excluded.workflow_id, yaml = excluded.yaml,
    bindings = excluded.bindings, registered_at = excluded.registered_at`;

export function readDefinition(connection: Connection, hash: string): StoredDefinition | null {
  const columns = connection.statement(READ).get(hash);
  if (columns === undefined) return null;
  const bindings: JsonObject = JSON.parse(textOf(columns, 'bindings'));
  return {
    hash,
    workflowId: textOf(columns, 'workflow_id'),
    yaml: textOf(columns, 'yaml'),
    bindings,
    registeredAt: numberOf(columns, 'registered_at'),
  };
}

export function saveDefinition(connection: Connection, operation: OperationReader): void {
  const names = [operation.text(), operation.text(), operation.text(), operation.text()] as const;
  connection.statement(SAVE).run(...names, operation.number());
}
