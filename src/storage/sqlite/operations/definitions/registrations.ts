import type {
  DefinitionStore,
  Registration,
  StoredDefinition,
} from '../../../../engine/ports/store/definition-store.js';
import { numberOf, textOf, type Columns } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { recordActOf } from '../audit/record-acts.js';
import { ColumnList, type RowOf } from '../column-list.js';
import { REGISTER, UNREGISTER, type Operation, type OperationReader } from '../operation.js';
import { DEFINITION, definitionRow, saveDefinition } from './definitions.js';

export type ReadRegistrationRequest = Parameters<DefinitionStore['readRegistration']>[0];
export type ListRegistrationsRequest = Parameters<DefinitionStore['listRegistrations']>[0];

/** What an append requires: the hash, and the boot when `opening` is not null. */
export const REGISTERED = new ColumnList({
  namespace: 'text',
  workflow_id: 'text',
  hash: 'text',
  opening: 'text or null',
});
export type RegisteredAs = RowOf<typeof REGISTERED>;

const COLUMNS = 'namespace, workflow_id, hash, registered_at';

/** `place` is the order of first registrations, permanently; `place_in_opening` counts again in another boot. */
const INSERT = `
  INSERT INTO registrations (namespace, workflow_id, hash, registered_at, opening, place, place_in_opening)
  SELECT ?1, ?2, ?3, ?4, ?5, next.place, next.place
  FROM (SELECT coalesce(max(place_in_opening), 0) + 1 AS place FROM registrations) AS next WHERE true
  ON CONFLICT (namespace, workflow_id) DO UPDATE SET
    hash = excluded.hash, registered_at = excluded.registered_at, opening = excluded.opening,
    place_in_opening =
      CASE WHEN opening = excluded.opening THEN place_in_opening ELSE excluded.place_in_opening END`;

const READ = `
  SELECT ${COLUMNS} FROM registrations WHERE namespace = ?1 AND workflow_id = ?2 AND (?3 IS NULL OR opening = ?3)`;

const REMOVE = `
  DELETE FROM registrations WHERE namespace = ?1 AND workflow_id = ?2 AND (?3 IS NULL OR opening = ?3)
  RETURNING hash`;

const LIST = `
  SELECT ${COLUMNS} FROM registrations
  WHERE (?1 IS NULL OR namespace = ?1) AND (?2 IS NULL OR opening = ?2)
  ORDER BY CASE WHEN ?2 IS NULL THEN place ELSE place_in_opening END`;

export function registerOperation(definition: StoredDefinition, bootId: string): Operation {
  return [REGISTER, ...definitionRow(definition), bootId];
}

export function register(connection: Connection, operation: OperationReader): void {
  const definition = saveDefinition(connection, operation);
  connection
    .statement(INSERT)
    .run(
      DEFINITION.field(definition, 'namespace'),
      DEFINITION.field(definition, 'workflow_id'),
      DEFINITION.field(definition, 'hash'),
      DEFINITION.field(definition, 'registered_at'),
      operation.text(),
    );
  recordActOf(connection, operation);
}

export function unregisterOperation(request: ReadRegistrationRequest): Operation {
  return [UNREGISTER, request.namespace, request.workflowId, request.opening];
}

/** The hash of what was registered, if something was. */
export function unregister(connection: Connection, operation: OperationReader): readonly string[] {
  const [namespace, workflowId] = [operation.text(), operation.text()];
  const bootId = operation.skipsNull() ? null : operation.text();
  const removed = connection.statement(REMOVE).all(namespace, workflowId, bootId);
  if (removed.length > 0) recordActOf(connection, operation);
  return removed.map((columns) => textOf(columns, 'hash'));
}

export function isRegistered(connection: Connection, expected: RegisteredAs): boolean {
  const registered = readRegistration(connection, {
    namespace: REGISTERED.field(expected, 'namespace'),
    workflowId: REGISTERED.field(expected, 'workflow_id'),
    opening: REGISTERED.field(expected, 'opening'),
  });
  return registered?.hash === REGISTERED.field(expected, 'hash');
}

export function readRegistration(
  connection: Connection,
  request: ReadRegistrationRequest,
): Registration | null {
  const { namespace, workflowId, opening: bootId } = request;
  const columns = connection.statement(READ).get(namespace, workflowId, bootId);
  return columns === undefined ? null : registrationOf(columns);
}

export function listRegistrations(
  connection: Connection,
  { namespace, opening: bootId }: ListRegistrationsRequest,
): readonly Registration[] {
  return connection.statement(LIST).all(namespace, bootId).map(registrationOf);
}

function registrationOf(columns: Columns): Registration {
  return {
    namespace: textOf(columns, 'namespace'),
    workflowId: textOf(columns, 'workflow_id'),
    hash: textOf(columns, 'hash'),
    registeredAt: numberOf(columns, 'registered_at'),
  };
}
