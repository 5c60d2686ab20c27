import type { GateCursor, ListedGate } from '../../../../engine/ports/store/gates.js';
import type { RunIndex } from '../../../../engine/ports/store/run-index.js';
import { numberOf, numberOrNull, textOf, type Columns } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';

export type ListGatesRequest = Parameters<RunIndex['listGates']>[0];
export type ListedGates = Awaited<ReturnType<RunIndex['listGates']>>;
export type CountOpenGatesRequest = Parameters<RunIndex['countOpenGates']>[0];

const FROM = {
  open: { table: 'open_gates', at: 'opened_at', decision: 'NULL AS decided_at, NULL AS decided_seq' },
  decided: { table: 'decided_gates', at: 'decided_at', decision: 'g.decided_at, g.decided_seq' },
};

/** A cursor that comes before every gate. */
const NEWEST: GateCursor = { at: Number.MAX_SAFE_INTEGER, runId: '', gateId: 0 };

/** The index has the order: nothing is sorted, and no more is read than is shown. */
function gatesSql(status: ListGatesRequest['status'], ofWorkflow: boolean): string {
  const { table, at, decision } = FROM[status];
  const index = ofWorkflow ? `${table}_of_workflow` : `${table}_by_age`;
  return `
    SELECT g.run_id, g.gate_id, g.unit_id, g.opened_at, g.workflow_id, ${decision}, r.definition_hash
    FROM ${table} AS g INDEXED BY ${index} CROSS JOIN runs AS r ON r.run_id = g.run_id
    WHERE g.namespace = ? ${ofWorkflow ? 'AND g.workflow_id = ?' : ''} AND (g.${at}, g.run_id, g.gate_id) < (?, ?, ?)
    ORDER BY g.${at} DESC, g.run_id DESC, g.gate_id DESC LIMIT ?`;
}

const countSql = (ofWorkflow: boolean): string => `
  SELECT count(*) AS count FROM open_gates WHERE namespace = ? ${ofWorkflow ? 'AND workflow_id = ?' : ''}`;

export function listGates(connection: Connection, request: ListGatesRequest): ListedGates {
  const { namespace, status, workflowId, before, limit } = request;
  const { at, runId, gateId } = before ?? NEWEST;
  const found = connection
    .statement(gatesSql(status, workflowId !== null))
    .all(...scopeOf(namespace, workflowId), at, runId, gateId, limit + 1)
    .map(gateOf);
  const gates = found.slice(0, limit);
  return { gates, next: found.length > limit ? cursorOf(gates.at(-1)) : null };
}

export function countOpenGates(
  connection: Connection,
  { namespace, workflowId }: CountOpenGatesRequest,
): number {
  const statement = connection.statement(countSql(workflowId !== null));
  return numberOf(statement.get(...scopeOf(namespace, workflowId)) ?? {}, 'count');
}

function scopeOf(namespace: string, workflowId: string | null): readonly string[] {
  return workflowId === null ? [namespace] : [namespace, workflowId];
}

function gateOf(columns: Columns): ListedGate {
  return {
    runId: textOf(columns, 'run_id'),
    workflowId: textOf(columns, 'workflow_id'),
    definitionHash: textOf(columns, 'definition_hash'),
    gateId: numberOf(columns, 'gate_id'),
    unitId: textOf(columns, 'unit_id'),
    openedAt: numberOf(columns, 'opened_at'),
    decidedAt: numberOrNull(columns, 'decided_at'),
    decidedSeq: numberOrNull(columns, 'decided_seq'),
  };
}

function cursorOf(gate: ListedGate | undefined): GateCursor | null {
  if (gate === undefined) return null;
  return { at: gate.decidedAt ?? gate.openedAt, runId: gate.runId, gateId: gate.gateId };
}
