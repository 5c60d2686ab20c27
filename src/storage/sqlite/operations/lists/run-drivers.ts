import type { RunFilter } from '../../../../engine/ports/store/run-filter.js';
import { textOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { workflowsShown } from './workflows-shown.js';

/**
 * An index that has runs in the order of lists. Reading it needs no row: it has their `created_at` and `run_id`, under the
 * name `d`. `?1` is the namespace.
 */
export interface Driver {
  readonly from: string;
  readonly where: string;
  /** `?25` and, where there are two, `?26` of `where`. */
  readonly values: readonly string[];
  /** The parts of the filter that it answers: the rest has to be looked up. */
  readonly answers: readonly (keyof RunFilter | `label ${number}`)[];
}

/** The union of these drivers; no run is in two of them. */
export type Candidate = readonly Driver[];

/** SQLite's name for the primary key's index: otherwise it would take the index that has the order, and read all of it. */
const BY_ID = 'sqlite_autoindex_runs_1';
/** Up to this many rows are all read and sorted. */
const NARROW = 2_000;
/** Up to this many workflows are walked side by side: beyond that all runs are, by age, and those of others are passed over. */
const MOST_MERGED = 100;

const COUNT_OF_PREFIX = `
  SELECT count(*) > ${NARROW} AS is_wide
  FROM (SELECT 1 FROM runs INDEXED BY ${BY_ID} WHERE run_id >= ? AND run_id < ? LIMIT ${NARROW + 1})`;
const WORKFLOW_OF = 'SELECT workflow_id FROM definitions WHERE namespace = ? AND hash = ?';

const BY_AGE: Driver = {
  from: 'runs AS d INDEXED BY runs_by_age',
  where: 'd.namespace = ?1',
  values: [],
  answers: [],
};
const WITH_GATES: Driver = {
  from: 'runs AS d INDEXED BY runs_with_gates',
  where: 'd.namespace = ?1 AND d.gates > 0',
  values: [],
  answers: ['hasOpenGate'],
};
const CANCELLED: Driver = {
  from: 'runs AS d INDEXED BY runs_cancelled',
  where: 'd.namespace = ?1 AND d.is_cancelled = 1',
  values: [],
  answers: ['isCancelled'],
};

/** Where no other index helps, the candidate is that of all runs by age. */
export function candidatesFor(
  connection: Connection,
  namespace: string,
  filter: RunFilter,
): readonly Candidate[] {
  const { forkedFrom, parentRunId, gateUnit, origin, statuses, idPrefix } = filter;
  if (idPrefix !== null && isNarrow(connection, idPrefix)) return [[withPrefix(idPrefix)]];
  const found: Candidate[] = [];
  if (forkedFrom !== null) found.push([forksOf(forkedFrom)]);
  if (parentRunId !== null) found.push([childrenOf(parentRunId)]);
  if (gateUnit !== null) found.push([withGateOf(gateUnit)]);
  else if (filter.hasOpenGate !== null) found.push([WITH_GATES]);
  if (filter.isCancelled === true) found.push([CANCELLED]);
  if (origin !== null && origin !== 'client') found.push([ofOrigin(origin)]);
  for (const [index, { name, value }] of filter.labels.entries()) found.push([labelled(index, name, value)]);
  if (statuses !== null && !statuses.includes('completed')) found.push([...new Set(statuses)].map(ofStatus));
  const workflowId = filter.workflowId ?? workflowOf(connection, namespace, filter.definitionHash);
  if (workflowId !== null) found.push([ofWorkflow(workflowId)]);
  else if (filter.workflows !== null) {
    const shown = workflowsShown(connection, 'runs', {
      namespace,
      patterns: filter.workflows,
      most: MOST_MERGED,
    });
    if (shown !== null) found.push(shown.map(ofWorkflow).map(asShown));
  }
  return found.length > 0 ? found : [[BY_AGE]];
}

/** Ids that begin with the prefix lie between these two: nothing sorts after the last character there is. */
export function boundsOfPrefix(prefix: string): readonly [string, string] {
  return [prefix, `${prefix}\u{10FFFF}`];
}

function isNarrow(connection: Connection, prefix: string): boolean {
  return connection.statement(COUNT_OF_PREFIX).get(...boundsOfPrefix(prefix))?.['is_wide'] === 0;
}

/** A definition belongs to one workflow permanently. Null for a definition that is not stored. */
function workflowOf(connection: Connection, namespace: string, hash: string | null): string | null {
  const columns = hash === null ? undefined : connection.statement(WORKFLOW_OF).get(namespace, hash);
  return columns === undefined ? null : textOf(columns, 'workflow_id');
}

function withPrefix(prefix: string): Driver {
  return {
    from: `(SELECT created_at, run_id, namespace FROM runs INDEXED BY ${BY_ID} WHERE run_id >= ?25 AND run_id < ?26) AS d`,
    where: 'd.namespace = ?1',
    values: boundsOfPrefix(prefix),
    answers: ['idPrefix'],
  };
}

function forksOf(runId: string): Driver {
  return {
    from: 'runs AS d INDEXED BY runs_forked',
    where: 'd.forked_from = ?25',
    values: [runId],
    answers: ['forkedFrom'],
  };
}

function childrenOf(runId: string): Driver {
  return {
    from: 'runs AS d INDEXED BY runs_of_parent_by_age',
    where: 'd.parent_run_id = ?25',
    values: [runId],
    answers: ['parentRunId'],
  };
}

function withGateOf(unitId: string): Driver {
  return {
    from: 'open_gates AS d INDEXED BY open_gates_of_unit',
    where: 'd.namespace = ?1 AND d.unit_id = ?25',
    values: [unitId],
    answers: ['gateUnit', 'hasOpenGate'],
  };
}

function ofOrigin(origin: string): Driver {
  return {
    from: 'runs AS d INDEXED BY runs_of_origin',
    where: `d.namespace = ?1 AND d.origin = ?25 AND d.origin <> 'client'`,
    values: [origin],
    answers: ['origin'],
  };
}

function labelled(index: number, name: string, value: string): Driver {
  return {
    from: 'run_labels AS d INDEXED BY runs_with_label',
    where: 'd.namespace = ?1 AND d.name = ?25 AND d.value = ?26',
    values: [name, value],
    answers: [`label ${index}`],
  };
}

function ofStatus(status: string): Driver {
  return {
    from: 'runs AS d INDEXED BY runs_not_completed',
    where: `d.namespace = ?1 AND d.status = ?25 AND d.status <> 'completed'`,
    values: [status],
    answers: ['statuses'],
  };
}

/** One of those that are all shown. */
function asShown(driver: Driver): Driver {
  return { ...driver, answers: ['workflows'] };
}

function ofWorkflow(workflowId: string): Driver {
  return {
    from: 'runs AS d INDEXED BY runs_of_workflow',
    where: 'd.namespace = ?1 AND d.workflow_id = ?25',
    values: [workflowId],
    answers: ['workflowId'],
  };
}
