import type { RunRow, RunStore } from '../../../engine/ports/run-store.js';
import { ROW_COLUMNS, rowOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';

export type ListRunsRequest = Parameters<RunStore['listRuns']>[0];
export type ListUnfinishedRequest = Parameters<RunStore['listUnfinished']>[0];

const LIST_UNFINISHED = `
  SELECT ${ROW_COLUMNS} FROM runs
  WHERE ended_at IS NULL AND (open_executions > 0 OR wake_at IS NOT NULL) AND run_id > ?
  ORDER BY run_id LIMIT ?`;

export function listRuns(connection: Connection, request: ListRunsRequest): readonly RunRow[] {
  const { workflowId, status, before, limit } = request;
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  if (workflowId !== null) {
    conditions.push('workflow_id = ?');
    values.push(workflowId);
  }
  if (status !== null) {
    // The second half tells SQLite that the index without completed runs has all that is asked for.
    conditions.push(status === 'completed' ? 'status = ?' : `status = ? AND status <> 'completed'`);
    values.push(status);
  }
  if (before !== null) {
    conditions.push('(created_at, run_id) < (?, ?)');
    values.push(before.createdAt, before.runId);
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const sql = `SELECT ${ROW_COLUMNS} FROM runs ${where} ORDER BY created_at DESC, run_id DESC LIMIT ?`;
  return connection
    .statement(sql)
    .all(...values, limit)
    .map(rowOf);
}

export function listUnfinished(connection: Connection, request: ListUnfinishedRequest): readonly RunRow[] {
  const { afterRunId, limit } = request;
  return connection
    .statement(LIST_UNFINISHED)
    .all(afterRunId ?? '', limit)
    .map(rowOf);
}
