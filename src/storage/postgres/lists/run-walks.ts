import type { RunFilter } from '../../../engine/ports/store/run-filter.js';
import type { WorkflowPatterns } from '../../../engine/ports/access/workflow-patterns.js';
import { numberOf, textOf } from '../database/columns.js';
import type { Query, SqlValue } from '../database/database.js';
import { escaped } from '../database/escaped.js';
import { idsThatBeginWith } from './run-ids.js';
import { workflowsShown } from './workflows-shown.js';

/** A walk along an index that has runs in the order of lists. */
export interface Walk {
  /**
   * Selects `created_at` and `run_id` of the next `$3` entries after the cursor (`$1`, `$2`), newest first, by the conditions of
   * one index and no others; `$4` and on are `values`. Nearly always the index itself has both columns.
   */
  readonly entries: string;
  readonly values: readonly SqlValue[];
  /** The parts of the filter that it answers: the rest has to be looked up. */
  readonly answers: readonly (keyof RunFilter | `label ${number}`)[];
  /** How many ways through the index it is: it reads so many times the entries that it gives. */
  readonly width?: number;
}

/** The union of these walks; no run is in two of them. */
export type Candidate = readonly Walk[];

/** Up to this many runs are all read and sorted. */
const NARROW = 2_000;
/** The newest of up to this many workflows are merged: beyond that runs are walked by age, and those of others are passed over. */
const MOST_MERGED = 100;

const BEFORE = '(d.created_at, d.run_id) < ($1::bigint, $2::uuid)';
const NEWEST = 'ORDER BY d.created_at DESC, d.run_id DESC LIMIT $3::integer';

/** Here and in the two next, no other index of its table has this order by these conditions, or it has more to read. */
const BY_AGE = `
    SELECT d.created_at, d.run_id FROM @.runs AS d WHERE d.namespace = $4::text AND ${BEFORE} ${NEWEST}`;
const WITH_GATES = `
    SELECT d.created_at, d.run_id FROM @.runs AS d
    WHERE d.namespace = $4::text AND d.gates > 0 AND ${BEFORE} ${NEWEST}`;
const CANCELLED = `
    SELECT d.created_at, d.run_id FROM @.runs AS d
    WHERE d.namespace = $4::text AND d.is_cancelled AND ${BEFORE} ${NEWEST}`;

/**
 * The indexes whose second column says which runs. Were it compared with `=`, it would not count in the order, and the index by
 * age, which then has the same one, would be followed where PostgreSQL takes the value for a common one, past a million runs to the
 * three that have it. A column that is held from both sides does count, and no other index begins with it.
 */
function ofColumn(column: string, alsoWhere: string): string {
  return `
    SELECT d.created_at, d.run_id FROM @.runs AS d
    WHERE d.namespace = $4::text AND d.${column} >= $5::text
      AND (d.${column}, d.created_at, d.run_id) < ($5::text, $1::bigint, $2::uuid)${alsoWhere}
    ORDER BY d.${column} DESC, d.created_at DESC, d.run_id DESC LIMIT $3::integer`;
}

const OF_WORKFLOW = ofColumn('workflow_id', '');
/** The newest of each of several workflows (`$5`, an array), and of those the newest. */
const OF_WORKFLOWS = `
    SELECT d.created_at, d.run_id FROM unnest($5::text[]) AS w (id) CROSS JOIN LATERAL (
      SELECT d.created_at, d.run_id FROM @.runs AS d
      WHERE d.namespace = $4::text AND d.workflow_id >= w.id COLLATE "C"
        AND (d.workflow_id, d.created_at, d.run_id) < (w.id COLLATE "C", $1::bigint, $2::uuid)
      ORDER BY d.workflow_id DESC, d.created_at DESC, d.run_id DESC LIMIT $3::integer
    ) AS d ${NEWEST}`;
const OF_STATUS = ofColumn('status', ` AND d.status <> 'completed'`);
const OF_ORIGIN = ofColumn('origin', ` AND d.origin <> 'client'`);

/** The forks of a run of any namespace, and its children: the row says which. */
const FORKS = `
    SELECT d.created_at, d.run_id FROM @.runs AS d WHERE d.forked_from = $4::uuid AND ${BEFORE} ${NEWEST}`;
const CHILDREN = `
    SELECT d.created_at, d.run_id FROM @.runs AS d WHERE d.parent_run_id = $4::uuid AND ${BEFORE} ${NEWEST}`;
const LABELLED = `
    SELECT d.created_at, d.run_id FROM @.run_labels AS d
    WHERE d.namespace = $4::text AND d.name = $5::text AND d.value = $6::text AND ${BEFORE} ${NEWEST}`;
/** A run with several gates of a unit has several entries, one after the other. */
const WITH_GATE_OF_UNIT = `
    SELECT d.created_at, d.run_id FROM @.open_gates AS d
    WHERE d.namespace = $4::text AND d.unit_id = $5::text AND ${BEFORE} ${NEWEST}`;

/** OFFSET 0 keeps the conditions apart: by the primary key alone, and never by all runs of the namespace. */
const WITH_PREFIX = `
    SELECT d.created_at, d.run_id FROM (
      SELECT created_at, run_id, namespace FROM @.runs
      WHERE run_id BETWEEN $5::uuid AND $6::uuid OFFSET 0
    ) AS d
    WHERE d.namespace = $4::text AND ${BEFORE} ${NEWEST}`;

const COUNT_OF_PREFIX = `
  SELECT count(*) AS count FROM (
    SELECT 1 FROM @.runs WHERE run_id BETWEEN $1::uuid AND $2::uuid ORDER BY run_id LIMIT ${NARROW + 1}
  ) AS counted`;

const WORKFLOW_OF = 'SELECT workflow_id FROM @.definitions WHERE namespace = $1::text AND hash = $2::text';

/** Where no other index helps, the candidate is that of all runs by age. */
export async function candidatesFor(
  query: Query,
  namespace: string,
  filter: RunFilter,
): Promise<readonly Candidate[]> {
  const { forkedFrom, parentRunId, gateUnit, origin, statuses, idPrefix } = filter;
  const scope = escaped(namespace);
  const narrow = idPrefix === null ? null : await narrowRange(query, idPrefix);
  if (narrow !== null) {
    return [[{ entries: WITH_PREFIX, values: [scope, ...narrow], answers: ['idPrefix'] }]];
  }
  const found: Candidate[] = [];
  if (forkedFrom !== null) found.push([{ entries: FORKS, values: [forkedFrom], answers: ['forkedFrom'] }]);
  if (parentRunId !== null)
    found.push([{ entries: CHILDREN, values: [parentRunId], answers: ['parentRunId'] }]);
  if (gateUnit !== null) found.push([withGateOf(scope, gateUnit)]);
  else if (filter.hasOpenGate !== null)
    found.push([{ entries: WITH_GATES, values: [scope], answers: ['hasOpenGate'] }]);
  if (filter.isCancelled === true)
    found.push([{ entries: CANCELLED, values: [scope], answers: ['isCancelled'] }]);
  if (origin !== null && origin !== 'client')
    found.push([{ entries: OF_ORIGIN, values: [scope, origin], answers: ['origin'] }]);
  for (const [index, label] of filter.labels.entries()) found.push([labelled(scope, index, label)]);
  if (statuses !== null && !statuses.includes('completed')) {
    found.push(
      [...new Set(statuses)].map((status): Walk => ({
        entries: OF_STATUS,
        values: [scope, status],
        answers: ['statuses'],
      })),
    );
  }
  const workflowId =
    filter.workflowId === null
      ? await storedWorkflowOf(query, scope, filter.definitionHash)
      : escaped(filter.workflowId);
  if (workflowId !== null)
    found.push([{ entries: OF_WORKFLOW, values: [scope, workflowId], answers: ['workflowId'] }]);
  else if (filter.workflows !== null) found.push(...(await ofWorkflows(query, namespace, filter.workflows)));
  return found.length > 0 ? found : [[{ entries: BY_AGE, values: [scope], answers: [] }]];
}

/** None: they are too many to be merged. */
async function ofWorkflows(
  query: Query,
  namespace: string,
  patterns: WorkflowPatterns,
): Promise<readonly Candidate[]> {
  const shown = await workflowsShown(query, { table: 'runs', namespace, patterns, most: MOST_MERGED });
  if (shown === null) return [];
  const values = [escaped(namespace), shown];
  return [[{ entries: OF_WORKFLOWS, values, answers: ['workflows'], width: Math.max(1, shown.length) }]];
}

function withGateOf(scope: string, unitId: string): Walk {
  return {
    entries: WITH_GATE_OF_UNIT,
    values: [scope, escaped(unitId)],
    answers: ['gateUnit', 'hasOpenGate'],
  };
}

function labelled(
  scope: string,
  index: number,
  { name, value }: { readonly name: string; readonly value: string },
): Walk {
  return {
    entries: LABELLED,
    values: [scope, escaped(name), escaped(value)],
    answers: [`label ${index}`],
  };
}

/** The range of the ids that begin so; null: more than a few runs are in it, or it is none. */
async function narrowRange(query: Query, prefix: string): Promise<readonly [string, string] | null> {
  const range = idsThatBeginWith(prefix);
  if (range === null) return null;
  const [columns = {}] = await query(COUNT_OF_PREFIX, range);
  return numberOf(columns, 'count') > NARROW ? null : range;
}

/** A definition belongs to one workflow permanently. As it is stored; null for a definition that is not. */
async function storedWorkflowOf(query: Query, scope: string, hash: string | null): Promise<string | null> {
  if (hash === null) return null;
  const [columns] = await query(WORKFLOW_OF, [scope, escaped(hash)]);
  return columns === undefined ? null : textOf(columns, 'workflow_id');
}
