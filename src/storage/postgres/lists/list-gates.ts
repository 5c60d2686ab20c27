import type { GateCursor, ListedGate, OpenGate } from '../../../engine/ports/store/gates.js';
import type { RunIndex } from '../../../engine/ports/store/run-index.js';
import { fitting } from '../../../engine/ports/access/workflow-patterns.js';
import { numberOf, numberOrNull, textOf } from '../database/columns.js';
import type { Columns, Query, SqlValue } from '../database/database.js';
import { escaped, unescaped } from '../database/escaped.js';
import { isRunId, LEAST_ID, leastIdFrom } from './run-ids.js';
import { rangesOf, workflowsShown } from './workflows-shown.js';

export type ListGatesRequest = Parameters<RunIndex['listGates']>[0];
export type ListedGates = Awaited<ReturnType<RunIndex['listGates']>>;
export type CountOpenGatesRequest = Parameters<RunIndex['countOpenGates']>[0];
export type ListOpenGatesRequest = Parameters<RunIndex['listOpenGates']>[0];

const FROM: Readonly<
  Record<ListGatesRequest['status'], { table: 'open_gates' | 'decided_gates'; at: string; decision: string }>
> = {
  open: {
    table: 'open_gates',
    at: 'opened_at',
    decision: 'NULL::bigint AS decided_at, NULL::bigint AS decided_seq',
  },
  decided: { table: 'decided_gates', at: 'decided_at', decision: 'g.decided_at, g.decided_seq' },
};

/**
 * The index has the order: nothing is sorted, and no more is read than is shown. The workflow is held from both sides and is in
 * the order, so that no other index has it (see `run-walks.ts`).
 */
function gatesSql(status: ListGatesRequest['status'], ofWorkflow: boolean): string {
  const { table, at, decision } = FROM[status];
  const where = ofWorkflow
    ? `g.workflow_id >= $6::text
      AND (g.workflow_id, g.${at}, g.run_id, g.gate_id) < ($6::text, $2::bigint, $3::uuid, $4::bigint)`
    : `(g.${at}, g.run_id, g.gate_id) < ($2::bigint, $3::uuid, $4::bigint)`;
  return `
    SELECT g.run_id, g.gate_id, g.unit_id, g.opened_at, g.workflow_id, ${decision},
      (SELECT r.definition_hash FROM @.runs AS r WHERE r.run_id = g.run_id) AS definition_hash
    FROM @.${table} AS g
    WHERE g.namespace = $1::text AND ${where}
    ORDER BY ${ofWorkflow ? 'g.workflow_id DESC, ' : ''}g.${at} DESC, g.run_id DESC, g.gate_id DESC
    LIMIT $5::integer`;
}

/** The newest of each of several workflows (`$6`, an array), and of those the newest. */
function gatesOfWorkflowsSql(status: ListGatesRequest['status']): string {
  const { table, at, decision } = FROM[status];
  return `
    SELECT g.run_id, g.gate_id, g.unit_id, g.opened_at, g.workflow_id, ${decision},
      (SELECT r.definition_hash FROM @.runs AS r WHERE r.run_id = g.run_id) AS definition_hash
    FROM unnest($6::text[]) AS w (id) CROSS JOIN LATERAL (
      SELECT * FROM @.${table} AS g
      WHERE g.namespace = $1::text AND g.workflow_id >= w.id COLLATE "C"
        AND (g.workflow_id, g.${at}, g.run_id, g.gate_id) < (w.id COLLATE "C", $2::bigint, $3::uuid, $4::bigint)
      ORDER BY g.workflow_id DESC, g.${at} DESC, g.run_id DESC, g.gate_id DESC LIMIT $5::integer
    ) AS g
    ORDER BY g.${at} DESC, g.run_id DESC, g.gate_id DESC LIMIT $5::integer`;
}

const LIST = {
  open: {
    all: gatesSql('open', false),
    ofWorkflow: gatesSql('open', true),
    ofWorkflows: gatesOfWorkflowsSql('open'),
  },
  decided: {
    all: gatesSql('decided', false),
    ofWorkflow: gatesSql('decided', true),
    ofWorkflows: gatesOfWorkflowsSql('decided'),
  },
};

const COUNT = {
  all: 'SELECT count(*) AS count FROM @.open_gates WHERE namespace = $1::text',
  ofWorkflow: `
    SELECT count(*) AS count FROM @.open_gates WHERE namespace = $1::text AND workflow_id = $2::text`,
  shown: `
    SELECT coalesce(sum((
      SELECT count(*) FROM @.open_gates AS g
      WHERE g.namespace = $1::text AND g.workflow_id >= p.least COLLATE "C" AND g.workflow_id < p.beyond COLLATE "C"
    )), 0)::bigint AS count
    FROM unnest($2::text[], $3::text[]) AS p (least, beyond)`,
};

/** Below every gate. */
const LEAST_GATE = Number.MIN_SAFE_INTEGER;

const OF_RUN = `
  SELECT gate_id, unit_id, opened_at FROM @.open_gates WHERE run_id = $1::uuid ORDER BY gate_id`;

export async function listGates(query: Query, request: ListGatesRequest): Promise<ListedGates> {
  const rows = await rowsOf(query, request);
  const { limit } = request;
  const found = rows.map(gateOf);
  const gates = found.slice(0, limit);
  return { gates, next: found.length > limit ? cursorOf(gates.at(-1)) : null };
}

async function rowsOf(query: Query, request: ListGatesRequest): Promise<readonly Columns[]> {
  const { namespace, status, workflowId, workflows, before, limit } = request;
  const sql = LIST[status];
  const values = [escaped(namespace), ...cursorValues(before), limit + 1];
  if (workflowId !== null)
    return showsWorkflow(request) ? query(sql.ofWorkflow, [...values, escaped(workflowId)]) : [];
  if (workflows === null) return query(sql.all, values);
  const { table } = FROM[status];
  const shown = await workflowsShown(query, { table, namespace, patterns: workflows, most: null });
  return query(sql.ofWorkflows, [...values, shown]);
}

export async function countOpenGates(query: Query, request: CountOpenGatesRequest): Promise<number> {
  const { namespace, workflowId, workflows } = request;
  const [columns = {}] =
    workflowId !== null
      ? await query(COUNT.ofWorkflow, [escaped(namespace), escaped(workflowId)])
      : workflows !== null
        ? await query(COUNT.shown, [escaped(namespace), ...rangesOf(workflows)])
        : await query(COUNT.all, [escaped(namespace)]);
  return showsWorkflow(request) ? numberOf(columns, 'count') : 0;
}

/** Whether the one workflow that is asked for, if it is one, is shown. */
function showsWorkflow({ workflowId, workflows }: CountOpenGatesRequest): boolean {
  return workflowId === null || fitting(workflows)(workflowId);
}

/** The oldest first. */
export async function listOpenGates(
  query: Query,
  { runId }: ListOpenGatesRequest,
): Promise<readonly OpenGate[]> {
  if (!isRunId(runId)) return [];
  const rows = await query(OF_RUN, [runId]);
  return rows.map((columns) => ({
    gateId: numberOf(columns, 'gate_id'),
    unitId: unescaped(textOf(columns, 'unit_id')),
    openedAt: numberOf(columns, 'opened_at'),
  }));
}

/** A cursor is what a client sends: its run may be none, and then lies between two others. */
function cursorValues(before: GateCursor | null): readonly SqlValue[] {
  if (before === null) return [Number.MAX_SAFE_INTEGER, LEAST_ID, 0];
  const { at, runId, gateId } = before;
  if (isRunId(runId)) return [at, runId, gateId];
  const least = leastIdFrom(runId);
  return least === null ? [at + 1, LEAST_ID, LEAST_GATE] : [at, least, LEAST_GATE];
}

function gateOf(columns: Columns): ListedGate {
  return {
    runId: textOf(columns, 'run_id'),
    workflowId: unescaped(textOf(columns, 'workflow_id')),
    definitionHash: unescaped(textOf(columns, 'definition_hash')),
    gateId: numberOf(columns, 'gate_id'),
    unitId: unescaped(textOf(columns, 'unit_id')),
    openedAt: numberOf(columns, 'opened_at'),
    decidedAt: numberOrNull(columns, 'decided_at'),
    decidedSeq: numberOrNull(columns, 'decided_seq'),
  };
}

function cursorOf(gate: ListedGate | undefined): GateCursor | null {
  if (gate === undefined) return null;
  return { at: gate.decidedAt ?? gate.openedAt, runId: gate.runId, gateId: gate.gateId };
}
