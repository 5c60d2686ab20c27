import { numberOf, textOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { ColumnList } from '../column-list.js';
import { REMOVE_DEFINITIONS, type FlatValue, type Operation, type OperationReader } from '../operation.js';

/** A definition as it was when it was found without a registration. */
export interface UnregisteredDefinition {
  readonly namespace: string;
  readonly hash: string;
  readonly registeredAt: number;
}

const UNUSED = new ColumnList({ namespace: 'text', hash: 'text', registered_at: 'number' });

/** `octet_length` reads how long a text is without reading the text. */
const KEPT = `
  SELECT count(*) AS count, coalesce(sum(octet_length(yaml) + coalesce(octet_length(plan), 0)), 0) AS size
  FROM definitions`;

/** With a boot, only its own registrations count. */
const HAS_REGISTRATION = `
  EXISTS (SELECT 1 FROM registrations AS r
    WHERE r.namespace = d.namespace AND r.workflow_id = d.workflow_id AND r.hash = d.hash
      AND (?1 IS NULL OR r.opening = ?1))`;

const UNREGISTERED = `
  SELECT namespace, hash, registered_at FROM definitions AS d WHERE NOT ${HAS_REGISTRATION} LIMIT ?2`;

const PAGE_OF_RUNS = `
  SELECT run_id, namespace, definition_hash FROM runs WHERE run_id > ?1 ORDER BY run_id LIMIT ?2`;

const STARTED_SINCE = `
  SELECT DISTINCT namespace, definition_hash FROM log JOIN runs USING (run_id)
  WHERE log.position > ? AND log.first_seq = 1`;

/** A definition that was registered again in between has another instant, or a registration. */
const REMOVE = `
  DELETE FROM definitions AS d
  WHERE d.namespace = ?2 AND d.hash = ?3 AND d.registered_at = ?4 AND NOT ${HAS_REGISTRATION}`;

const REMOVE_REGISTRATION = 'DELETE FROM registrations WHERE namespace = ? AND hash = ?';

export function definitionsKept(connection: Connection): { readonly count: number; readonly size: number } {
  const columns = connection.statement(KEPT).get() ?? {};
  return { count: numberOf(columns, 'count'), size: numberOf(columns, 'size') };
}

export function listUnregistered(
  connection: Connection,
  request: { readonly opening: string | null; readonly limit: number },
): readonly UnregisteredDefinition[] {
  return connection
    .statement(UNREGISTERED)
    .all(request.opening, request.limit)
    .map((columns) => ({
      namespace: textOf(columns, 'namespace'),
      hash: textOf(columns, 'hash'),
      registeredAt: numberOf(columns, 'registered_at'),
    }));
}

/** Which definitions the runs of a page name; `lastRunId` is null after the last page. */
export function definitionsOfRuns(
  connection: Connection,
  request: { readonly afterRunId: string; readonly limit: number },
): { readonly named: readonly string[]; readonly lastRunId: string | null } {
  const rows = connection.statement(PAGE_OF_RUNS).all(request.afterRunId, request.limit);
  const last = rows.at(-1);
  return {
    named: [...new Set(rows.map((row) => nameOf(textOf(row, 'namespace'), textOf(row, 'definition_hash'))))],
    lastRunId: last === undefined ? null : textOf(last, 'run_id'),
  };
}

/** One key of both. */
export function nameOf(namespace: string, hash: string): string {
  return `${namespace}\n${hash}`;
}

export function removeDefinitionsOperation(
  position: number,
  bootId: string | null,
  definitions: readonly UnregisteredDefinition[],
): Operation {
  const operation: FlatValue[] = [REMOVE_DEFINITIONS, position, bootId];
  UNUSED.addAll(
    operation,
    definitions.map(({ namespace, hash, registeredAt: registered_at }) =>
      UNUSED.row({ namespace, hash, registered_at }),
    ),
  );
  return operation;
}

/**
 * Deletes those of the given definitions that nothing names now, and returns their hashes. No run that began at or before
 * the position names one of them; those that began later are looked at here, in the transaction that deletes.
 */
export function removeDefinitions(connection: Connection, operation: OperationReader): readonly string[] {
  const position = operation.number();
  const bootId = operation.skipsNull() ? null : operation.text();
  const named = new Set(
    connection
      .statement(STARTED_SINCE)
      .all(position)
      .map((row) => nameOf(textOf(row, 'namespace'), textOf(row, 'definition_hash'))),
  );
  const removed: string[] = [];
  for (const definition of UNUSED.readAll(operation)) {
    const namespace = UNUSED.field(definition, 'namespace');
    const hash = UNUSED.field(definition, 'hash');
    if (named.has(nameOf(namespace, hash))) continue;
    const { changes } = connection.statement(REMOVE).run(bootId, ...definition);
    if (Number(changes) === 0) continue;
    if (bootId !== null) connection.statement(REMOVE_REGISTRATION).run(namespace, hash);
    removed.push(hash);
  }
  return removed;
}
