import type { GateCursor, ListedGate } from '../../../../engine/ports/store/gates.js';
import type { RunIndex } from '../../../../engine/ports/store/run-index.js';
import { fitting, rangeOf } from '../../../../engine/ports/access/workflow-patterns.js';
import { numberOf, numberOrNull, textOf, type Columns } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { workflowsShown } from './workflows-shown.js';

export type ListGatesRequest = Parameters<RunIndex['listGates']>[0];
export type ListedGates = Awaited<ReturnType<RunIndex['listGates']>>;
export type CountOpenGatesRequest = Parameters<RunIndex['countOpenGates']>[0];

const FROM = {
  open: { table: 'open_gates', at: 'opened_at', decision: 'NULL AS decided_at, NULL AS decided_seq' },
  decided: { table: 'decided_gates', at: 'decided_at', decision: 'g.decided_at, g.decided_seq' },
} as const;

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

const COUNT_RANGE = `
  SELECT count(*) AS count FROM open_gates INDEXED BY open_gates_of_workflow
  WHERE namespace = ? AND workflow_id >= ? AND workflow_id < ?`;

export function listGates(connection: Connection, request: ListGatesRequest): ListedGates {
  const { limit } = request;
  const found = showsWorkflow(request) ? newestOf(connection, request) : [];
  const gates = found.slice(0, limit);
  return { gates, next: found.length > limit ? cursorOf(gates.at(-1)) : null };
}

export function countOpenGates(connection: Connection, request: CountOpenGatesRequest): number {
  const { namespace, workflowId, workflows } = request;
  if (!showsWorkflow(request)) return 0;
  if (workflowId === null && workflows !== null) {
    let count = 0;
    for (const { least, beyond } of workflows.map(rangeOf))
      count += numberOf(connection.statement(COUNT_RANGE).get(namespace, least, beyond) ?? {}, 'count');
    return count;
  }
  const statement = connection.statement(countSql(workflowId !== null));
  return numberOf(statement.get(...scopeOf(namespace, workflowId)) ?? {}, 'count');
}

/** So many that one of them says whether there are others, newest first. */
function newestOf(connection: Connection, request: ListGatesRequest): readonly ListedGate[] {
  const { namespace, status, workflowId, workflows, before, limit } = request;
  const { at, runId, gateId } = before ?? NEWEST;
  const ofOne = (one: string | null): readonly ListedGate[] =>
    connection
      .statement(gatesSql(status, one !== null))
      .all(...scopeOf(namespace, one), at, runId, gateId, limit + 1)
      .map(gateOf);
  if (workflowId !== null || workflows === null) return ofOne(workflowId);
  const { table } = FROM[status];
  return connection.snapshot(() => {
    const newest: ListedGate[] = [];
    for (const one of workflowsShown(connection, table, { namespace, patterns: workflows, most: null }) ??
      []) {
      newest.push(...ofOne(one));
      newest.sort(byAge).splice(limit + 1);
    }
    return newest;
  });
}

/** Whether the one workflow that is asked for, if it is one, is shown. */
function showsWorkflow({ workflowId, workflows }: CountOpenGatesRequest): boolean {
  return workflowId === null || fitting(workflows)(workflowId);
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

/** The newest first. */
function byAge(a: ListedGate, b: ListedGate): number {
  const [atOfA, atOfB] = [a.decidedAt ?? a.openedAt, b.decidedAt ?? b.openedAt];
  if (atOfA !== atOfB) return atOfB - atOfA;
  if (a.runId !== b.runId) return a.runId > b.runId ? -1 : 1;
  return b.gateId - a.gateId;
}

function cursorOf(gate: ListedGate | undefined): GateCursor | null {
  if (gate === undefined) return null;
  return { at: gate.decidedAt ?? gate.openedAt, runId: gate.runId, gateId: gate.gateId };
}
