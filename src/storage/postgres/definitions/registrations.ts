import type { DefinitionStore, Registration } from '../../../engine/ports/store/definition-store.js';
import { recordAct } from '../audit/record-acts.js';
import { numberOf, textOf } from '../database/columns.js';
import type { Columns, Database, Query } from '../database/database.js';
import { escaped, unescaped } from '../database/escaped.js';
import { soleWriterOf } from '../database/sole-writer.js';
import { definitionValues, SAVE_DEFINITION } from './definitions.js';

export type RegisterRequest = Parameters<DefinitionStore['register']>[0];
type UnregisterRequest = Parameters<DefinitionStore['unregister']>[0];
export type ReadRegistrationRequest = Parameters<DefinitionStore['readRegistration']>[0];
export type ListRegistrationsRequest = Parameters<DefinitionStore['listRegistrations']>[0];

/**
 * Registers, and removes registrations, one after the other over all replicas: the places of two that came at once would be one.
 * Whoever reads is not held up, nor a start, which locks the row that it begins from for a moment (FOR KEY SHARE).
 */
export const LOCK_REGISTRATIONS = soleWriterOf('registrations');

const COLUMNS = 'namespace, workflow_id, hash, registered_at';

/** `place` is the order of first registrations, permanently; `place_in_opening` counts again in another boot. */
const INSERT = `
  INSERT INTO @.registrations AS known
    (namespace, workflow_id, hash, registered_at, opening, place, place_in_opening)
  SELECT $1::text, $2::text, $3::text, $4::bigint, $5::text, next.place, next.place
  FROM (SELECT coalesce(max(place_in_opening), 0) + 1 AS place FROM @.registrations) AS next
  ON CONFLICT (namespace, workflow_id) DO UPDATE SET
    hash = excluded.hash, registered_at = excluded.registered_at, opening = excluded.opening,
    place_in_opening = CASE
      WHEN known.opening = excluded.opening THEN known.place_in_opening ELSE excluded.place_in_opening END`;

const READ = `
  SELECT ${COLUMNS} FROM @.registrations
  WHERE namespace = $1::text AND workflow_id = $2::text AND ($3::text IS NULL OR opening = $3::text)`;

const REMOVE = `
  DELETE FROM @.registrations
  WHERE namespace = $1::text AND workflow_id = $2::text AND ($3::text IS NULL OR opening = $3::text)
  RETURNING hash`;

const LIST = `
  SELECT ${COLUMNS} FROM @.registrations
  WHERE ($1::text IS NULL OR namespace = $1::text) AND ($2::text IS NULL OR opening = $2::text)
  ORDER BY CASE WHEN $2::text IS NULL THEN place ELSE place_in_opening END, namespace, workflow_id`;

/**
 * The definition first, as for whoever removes definitions: those two lock the same rows in the same order. One that is being
 * removed is waited for, and made again.
 */
export async function register(
  database: Database,
  { definition, opening: bootId, audit }: RegisterRequest,
): Promise<void> {
  const { namespace, workflowId, hash, registeredAt } = definition;
  const values = definitionValues(definition);
  await database.transaction(async (query) => {
    await query(LOCK_REGISTRATIONS);
    await query(SAVE_DEFINITION, values);
    await query(INSERT, [
      escaped(namespace),
      escaped(workflowId),
      escaped(hash),
      registeredAt,
      escaped(bootId),
    ]);
    await recordAct(query, audit);
  });
}

/** Whether something was registered. A start that has locked its registration is waited for; one that comes later finds none. */
export async function unregister(
  database: Database,
  { namespace, workflowId, opening: bootId, audit }: UnregisterRequest,
): Promise<boolean> {
  return database.transaction(async (query) => {
    await query(LOCK_REGISTRATIONS);
    const removed = await query(REMOVE, [escaped(namespace), escaped(workflowId), escapedOrNull(bootId)]);
    if (removed.length > 0) await recordAct(query, audit);
    return removed.length > 0;
  });
}

export async function readRegistration(
  query: Query,
  { namespace, workflowId, opening: bootId }: ReadRegistrationRequest,
): Promise<Registration | null> {
  const [columns] = await query(READ, [escaped(namespace), escaped(workflowId), escapedOrNull(bootId)]);
  return columns === undefined ? null : registrationOf(columns);
}

export async function listRegistrations(
  query: Query,
  { namespace, opening: bootId }: ListRegistrationsRequest,
): Promise<readonly Registration[]> {
  return (await query(LIST, [escapedOrNull(namespace), escapedOrNull(bootId)])).map(registrationOf);
}

function escapedOrNull(text: string | null): string | null {
  return text === null ? null : escaped(text);
}

function registrationOf(columns: Columns): Registration {
  return {
    namespace: unescaped(textOf(columns, 'namespace')),
    workflowId: unescaped(textOf(columns, 'workflow_id')),
    hash: unescaped(textOf(columns, 'hash')),
    registeredAt: numberOf(columns, 'registered_at'),
  };
}
