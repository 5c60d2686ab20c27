import type { DefinitionStore } from '../../../engine/ports/store/definition-store.js';
import { numberOf, textOf } from '../database/columns.js';
import type { Columns, Database, Query } from '../database/database.js';
import { escaped } from '../database/escaped.js';
import { hasRow } from '../database/look-up.js';
import { sqlStateOf } from '../database/postgres-fault.js';
import { visibleBelow } from '../log/positions.js';
import { LOCK_REGISTRATIONS } from './registrations.js';

export type RemoveUnusedDefinitionsRequest = Parameters<DefinitionStore['removeUnusedDefinitions']>[0];
export type DefinitionsKept = Awaited<ReturnType<DefinitionStore['definitionsKept']>>;

/** A definition as it was when it was found without a registration; namespace and hash as they are stored. */
interface UnregisteredDefinition {
  readonly namespace: string;
  readonly hash: string;
  readonly registeredAt: number;
}

/** Definitions that are looked at in one call. */
const MAX_CANDIDATES = 20_000;
/** Runs that one statement looks at: some 10 ms. */
const PAGE = 10_000;
/** Starts of what is locked wait for so long. */
const LIMIT_TIME = `SELECT pg_catalog.set_config('statement_timeout', '1000', true)`;
const QUERY_CANCELED = '57014';
/** Comes before every id. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** `octet_length` reads how long a text is without reading the text. */
const KEPT = `
  SELECT count(*) AS count,
    coalesce(sum(octet_length(yaml)::bigint + coalesce(octet_length(plan), 0)), 0)::bigint AS size
  FROM @.definitions`;

/** With a boot, only its own registrations count. `opening`: the placeholder of the boot's id. */
const hasRegistration = (opening: string): string => `
  ${hasRow(`@.registrations AS r
    WHERE r.namespace = d.namespace AND r.workflow_id = d.workflow_id AND r.hash = d.hash
      AND (${opening}::text IS NULL OR r.opening = ${opening}::text)`)}`;

const UNREGISTERED = `
  SELECT d.namespace, d.hash, d.registered_at FROM @.definitions AS d
  WHERE NOT ${hasRegistration('$1')} LIMIT $2::integer`;

/** Starts at this position and above may be missing from what is read from now on. */
const POSITION = `SELECT ${visibleBelow('$1')} AS position`;

/** Which definitions the next runs name, in few rows, and the last of those runs in each of them; no row after the last run. */
const NAMED = `
  WITH page AS MATERIALIZED (
    SELECT run_id, namespace, definition_hash FROM @.runs
    WHERE run_id >= $1::uuid AND run_id IS DISTINCT FROM $2::uuid ORDER BY run_id LIMIT ${PAGE}
  )
  SELECT page.namespace, page.definition_hash,
    (SELECT run_id FROM page ORDER BY run_id DESC LIMIT 1) AS last_run_id
  FROM page GROUP BY page.namespace, page.definition_hash`;

/**
 * Locks those that are as they were found. One that a start has locked is left for later: waiting for it with others locked could
 * be waiting for one another.
 */
const LOCK = `
  SELECT d.namespace, d.hash FROM @.definitions AS d
  JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS found (namespace, hash, registered_at)
    ON d.namespace = found.namespace AND d.hash = found.hash AND d.registered_at = found.registered_at
  FOR UPDATE OF d SKIP LOCKED`;

/**
 * A statement of its own, after the locks: it sees every start and every registration of these definitions that was committed
 * before, and later ones wait for the locks and find no definition. No run that began below the position names one of them.
 */
const REMOVE = `
  WITH started AS MATERIALIZED (
    SELECT DISTINCT r.namespace, r.definition_hash FROM @.log AS l JOIN @.runs AS r ON r.run_id = l.run_id
    WHERE l.position >= $3::bigint AND l.first_seq = 1
  )
  DELETE FROM @.definitions AS d USING unnest($1::text[], $2::text[]) AS chosen (namespace, hash)
  WHERE d.namespace = chosen.namespace AND d.hash = chosen.hash AND NOT ${hasRegistration('$4')}
    AND NOT EXISTS (
      SELECT 1 FROM started WHERE started.namespace = d.namespace AND started.definition_hash = d.hash)
  RETURNING d.namespace, d.hash`;

const REMOVE_REGISTRATIONS = `
  DELETE FROM @.registrations AS r USING unnest($1::text[], $2::text[]) AS removed (namespace, hash)
  WHERE r.namespace = removed.namespace AND r.hash = removed.hash`;

export async function definitionsKept(query: Query): Promise<DefinitionsKept> {
  const [columns = {}] = await query(KEPT);
  return { count: numberOf(columns, 'count'), size: numberOf(columns, 'size') };
}

/**
 * Removes definitions that nothing names. Which ones the runs name is read page by page, in transactions of their own, since an
 * index for it would cost every start. Runs that began after the reading did are left to the deletion itself.
 */
export async function removeUnusedDefinitions(
  database: Database,
  { opening: bootId, limit }: RemoveUnusedDefinitionsRequest,
): Promise<number> {
  const opening = bootId === null ? null : escaped(bootId);
  const query: Query = (sql, values) => database.query(sql, values);
  const unregistered = await query(UNREGISTERED, [opening, MAX_CANDIDATES]);
  if (unregistered.length === 0) return 0;
  const [at = {}] = await query(POSITION, [database.base]);
  const position = numberOf(at, 'position');
  const unused = await withoutRuns(query, unregistered.map(unregisteredOf));
  if (unused.length === 0) return 0;
  const chosen = unused.slice(0, limit);
  try {
    return await database.transaction((within) => remove(within, chosen, { opening, position }));
  } catch (error) {
    // Somebody's open transaction keeps the end of the log far behind: another sweep comes.
    if (sqlStateOf(error) === QUERY_CANCELED) return 0;
    throw error;
  }
}

/** Those that no run names, of the runs whose start is visible. */
async function withoutRuns(
  query: Query,
  definitions: readonly UnregisteredDefinition[],
): Promise<readonly UnregisteredDefinition[]> {
  const unused = new Map(definitions.map((one) => [nameOf(one.namespace, one.hash), one]));
  for (let afterRunId: string | null = null; unused.size > 0;) {
    const rows = await query(NAMED, [afterRunId ?? BEFORE_ALL, afterRunId]);
    for (const columns of rows) {
      unused.delete(nameOf(textOf(columns, 'namespace'), textOf(columns, 'definition_hash')));
    }
    const [last] = rows;
    if (last === undefined) break;
    afterRunId = textOf(last, 'last_run_id');
  }
  return [...unused.values()];
}

async function remove(
  query: Query,
  definitions: readonly UnregisteredDefinition[],
  { opening, position }: { readonly opening: string | null; readonly position: number },
): Promise<number> {
  await query(LIMIT_TIME);
  // Whoever registers locks in this order, too.
  if (opening !== null) await query(LOCK_REGISTRATIONS);
  const locked = await query(LOCK, [
    definitions.map(({ namespace }) => namespace),
    definitions.map(({ hash }) => hash),
    definitions.map(({ registeredAt }) => registeredAt),
  ]);
  if (locked.length === 0) return 0;
  const removed = await query(REMOVE, [...namesOf(locked), position, opening]);
  if (opening !== null && removed.length > 0) await query(REMOVE_REGISTRATIONS, namesOf(removed));
  return removed.length;
}

function unregisteredOf(columns: Columns): UnregisteredDefinition {
  return {
    namespace: textOf(columns, 'namespace'),
    hash: textOf(columns, 'hash'),
    registeredAt: numberOf(columns, 'registered_at'),
  };
}

function namesOf(
  rows: readonly Columns[],
): readonly [namespaces: readonly string[], hashes: readonly string[]] {
  return [
    rows.map((columns) => textOf(columns, 'namespace')),
    rows.map((columns) => textOf(columns, 'hash')),
  ];
}

/** One key of both. */
function nameOf(namespace: string, hash: string): string {
  return `${namespace}\n${hash}`;
}
