import { compensationIn } from '../../../engine/ports/store/compensation-text.js';
import type { RunFigures, RunRow } from '../../../engine/ports/store/run-row.js';
import { RUN_ORIGINS, RUN_STATUSES, type RunOrigin, type RunStatus } from '../../../engine/vocabulary.js';
import type { Columns } from './database.js';
import { unescaped } from './escaped.js';

const STATUSES: ReadonlySet<string> = new Set(RUN_STATUSES);
const ORIGINS: ReadonlySet<string> = new Set(RUN_ORIGINS);

/** Columns are checked as they are read: a damaged table gives an error here, not a wrong run later. */
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

export function booleanOf(columns: Columns, name: string): boolean {
  const value = columns[name];
  if (typeof value === 'boolean') return value;
  throw new Error(`column ${name} holds no boolean`);
}

export function textOrNull(columns: Columns, name: string): string | null {
  return columns[name] === null ? null : textOf(columns, name);
}

export function numberOrNull(columns: Columns, name: string): number | null {
  return columns[name] === null ? null : numberOf(columns, name);
}

function statusOf(columns: Columns): RunStatus {
  const status = textOf(columns, 'status');
  if (isStatus(status)) return status;
  throw new Error('column status holds no status');
}

function isStatus(text: string): text is RunStatus {
  return STATUSES.has(text);
}

function originOf(columns: Columns): RunOrigin {
  const origin = textOf(columns, 'origin');
  if (isOrigin(origin)) return origin;
  throw new Error('column origin holds no origin');
}

function isOrigin(text: string): text is RunOrigin {
  return ORIGINS.has(text);
}

/** Null: the run ended before figures were kept, and was imported from there. */
function figuresOf(columns: Columns): RunFigures | null {
  if (columns['tokens'] === null) return null;
  return {
    tokens: numberOf(columns, 'tokens'),
    cost: numberOf(columns, 'cost'),
    activeMs: numberOf(columns, 'active_ms'),
    activeSince: numberOrNull(columns, 'active_since'),
  };
}

const NAMES = [
  'run_id',
  'namespace',
  'workflow_id',
  'definition_hash',
  'status',
  'created_at',
  'updated_at',
  'ended_at',
  'open_executions',
  'wake_at',
  'last_seq',
  'parent_run_id',
  'origin',
  'forked_from',
  'is_cancelled',
  'tokens',
  'cost',
  'active_ms',
  'active_since',
  'compensation',
] as const;

/** The columns of a SELECT that `rowOf` reads. */
export const ROW_COLUMNS = NAMES.join(', ');

/** As `ROW_COLUMNS`, of the table that has the alias: `runs.run_id, runs.namespace` and so on. */
export function prefixed(alias: string): string {
  return NAMES.map((name) => `${alias}.${name}`).join(', ');
}

export function rowOf(columns: Columns): RunRow {
  return {
    runId: textOf(columns, 'run_id'),
    namespace: unescaped(textOf(columns, 'namespace')),
    workflowId: unescaped(textOf(columns, 'workflow_id')),
    definitionHash: unescaped(textOf(columns, 'definition_hash')),
    status: statusOf(columns),
    createdAt: numberOf(columns, 'created_at'),
    updatedAt: numberOf(columns, 'updated_at'),
    endedAt: numberOrNull(columns, 'ended_at'),
    openExecutions: numberOf(columns, 'open_executions'),
    wakeAt: numberOrNull(columns, 'wake_at'),
    lastSeq: numberOf(columns, 'last_seq'),
    parentRunId: textOrNull(columns, 'parent_run_id'),
    origin: originOf(columns),
    forkedFrom: textOrNull(columns, 'forked_from'),
    isCancelled: booleanOf(columns, 'is_cancelled'),
    figures: figuresOf(columns),
    compensation: compensationIn(textOrNull(columns, 'compensation')),
  };
}
