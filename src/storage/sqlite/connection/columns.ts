import type { SQLOutputValue } from 'node:sqlite';
import type { RunRow } from '../../../engine/ports/run-store.js';

export type Columns = Readonly<Record<string, SQLOutputValue>>;

const STATUSES: ReadonlySet<string> = new Set<RunRow['status']>([
  'pending',
  'running',
  'paused',
  'completed',
  'failed',
]);

/** Columns are checked as they are read: a damaged file gives an error here, not a wrong run later. */
export function textOf(columns: Columns, name: string): string {
  const value = columns[name];
  if (typeof value === 'string') return value;
  throw new Error(`column ${name} holds no text`);
}

export function numberOf(columns: Columns, name: string): number {
  const value = columns[name];
  if (typeof value === 'number') return value;
  throw new Error(`column ${name} holds no number`);
}

export function textOrNull(columns: Columns, name: string): string | null {
  return columns[name] === null ? null : textOf(columns, name);
}

function numberOrNull(columns: Columns, name: string): number | null {
  return columns[name] === null ? null : numberOf(columns, name);
}

function statusOf(columns: Columns): RunRow['status'] {
  const status = textOf(columns, 'status');
  if (isStatus(status)) return status;
  throw new Error('column status holds no status');
}

function isStatus(text: string): text is RunRow['status'] {
  return STATUSES.has(text);
}

/** What `rowOf` reads, for a SELECT. */
export const ROW_COLUMNS =
  'run_id, namespace, workflow_id, definition_hash, status, created_at, updated_at, ended_at, open_executions, ' +
  'wake_at, last_seq, parent_run_id';

export function rowOf(columns: Columns): RunRow {
  return {
    runId: textOf(columns, 'run_id'),
    namespace: textOf(columns, 'namespace'),
    workflowId: textOf(columns, 'workflow_id'),
    definitionHash: textOf(columns, 'definition_hash'),
    status: statusOf(columns),
    createdAt: numberOf(columns, 'created_at'),
    updatedAt: numberOf(columns, 'updated_at'),
    endedAt: numberOrNull(columns, 'ended_at'),
    openExecutions: numberOf(columns, 'open_executions'),
    wakeAt: numberOrNull(columns, 'wake_at'),
    lastSeq: numberOf(columns, 'last_seq'),
    parentRunId: textOrNull(columns, 'parent_run_id'),
  };
}
