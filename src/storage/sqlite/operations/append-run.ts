import { numberOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import {
  CONCERNS_FAMILY,
  DECIDED_GATES,
  EARLIER_EVENTS,
  LABELS,
  OPEN_GATES,
  STARTED_FROM,
  type OperationReader,
} from '../writer/operation.js';
import { insertDecision, readDecisions, type DecisionColumns } from './decided-gates.js';
import { insertFamilyEntry } from './family-log.js';
import { hasIdempotency, insertIdempotency, type IdempotencyColumns } from './idempotency.js';
import { insertLabel, type LabelColumns } from './labels.js';
import { readGates, replaceGates, type GateColumns } from './open-gates.js';
import { isRegistered, type RegisteredAs } from './registrations.js';
import { readRoot } from './root-runs.js';
import { insertState } from './states.js';

const KNOWN = 'SELECT last_seq, gates FROM runs WHERE run_id = ?';

/** Inserts nothing when the run exists already. */
const INSERT_RUN = `
  INSERT INTO runs (
    run_id, namespace, workflow_id, definition_hash, created_at, parent_run_id, origin, forked_from,
    status, updated_at, ended_at, open_executions, wake_at, is_cancelled,
    tokens, cost, active_ms, active_since, last_seq, root_run_id
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id) DO NOTHING`;

/**
 * The update of most appends, which change no more than the run's seq, its time and what it spent. No index has any of
 * these, so that none is touched; the columns that some index has are compared. (A run that has not ended is not cancelled.)
 */
const MOVE_ON = `
  UPDATE runs SET updated_at = ?, tokens = ?, cost = ?, active_ms = ?, active_since = ?, last_seq = ?
  WHERE run_id = ? AND last_seq = ? AND status = ? AND ended_at IS ? AND open_executions = ? AND wake_at IS ?`;

/**
 * A run's namespace, workflow, definition and creation never change; they are left out, so that their indexes are not
 * touched.
 */
const UPDATE_RUN = `
  UPDATE runs SET
    status = ?, updated_at = ?, ended_at = ?, open_executions = ?, wake_at = ?, is_cancelled = ?,
    tokens = ?, cost = ?, active_ms = ?, active_since = ?, last_seq = ?
  WHERE run_id = ? AND last_seq = ?`;

const INSERT_EVENTS = 'INSERT INTO log (run_id, first_seq, last_seq, at, events) VALUES (?, ?, ?, ?, ?)';

/** status, updated_at, ended_at, open_executions, wake_at, is_cancelled. */
type Progress = readonly [string, number, number | null, number, number | null, number];
/** tokens, cost, active_ms, active_since. */
type Figures = readonly [number | null, number | null, number | null, number | null];

/** namespace, workflow_id, definition_hash, created_at, parent_run_id, origin, forked_from. */
type Identity = readonly [string, string, string, number, string | null, string, string | null];

/**
 * Appends unless another append was first (null) or the registration is another by now. See `appendOperation` for the order.
 */
export function appendRun(connection: Connection, operation: OperationReader): true | null | 'stale' {
  const runId = operation.text();
  const expectedSeq = operation.number();
  const lastSeq = operation.number();
  const at = operation.number();
  const events = operation.text();
  const progress: Progress = [
    operation.text(),
    operation.number(),
    operation.numberOrNull(),
    operation.number(),
    operation.numberOrNull(),
    operation.number(),
  ];
  const figures: Figures = [
    operation.numberOrNull(),
    operation.numberOrNull(),
    operation.numberOrNull(),
    operation.numberOrNull(),
  ];
  const identity: Identity | null =
    expectedSeq === 0
      ? [
          operation.text(),
          operation.text(),
          operation.text(),
          operation.number(),
          operation.textOrNull(),
          operation.text(),
          operation.textOrNull(),
        ]
      : null;
  const stateSeq = operation.numberOrNull();
  const state = stateSeq === null ? null : ([runId, stateSeq, operation.number(), operation.text()] as const);
  const keys = readKeys(operation);
  const { labels, gates, decisions, startedFrom, concernsFamily, earlier } = readExtras(operation, runId);

  // Most appends are refused, if at all, by what they write: the run is only looked up where more depends on it.
  const [, , endedAt] = progress;
  const isLookedUp = endedAt !== null || keys.length > 0 || startedFrom !== null;
  const known = isLookedUp ? knownRun(connection, runId) : null;
  if (known !== null && known.lastSeq !== expectedSeq) return null;
  if (keys.some((columns) => hasIdempotency(connection, columns))) return null;
  if (startedFrom !== null && !isRegistered(connection, startedFrom)) return 'stale';
  if (identity !== null && lostItsSource(connection, identity)) return 'stale';

  const isWritten =
    identity === null
      ? moveRun(connection, { runId, expectedSeq, lastSeq }, progress, figures)
      : connection
          .statement(INSERT_RUN)
          .run(runId, ...identity, ...progress, ...figures, lastSeq, rootOf(connection, identity)).changes >
        0;
  if (!isWritten) return null;
  let firstSeq = expectedSeq + 1;
  for (const [pieceLastSeq, ...piece] of earlier) {
    connection.statement(INSERT_EVENTS).run(runId, firstSeq, pieceLastSeq, ...piece);
    firstSeq = pieceLastSeq + 1;
  }
  const entry = connection.statement(INSERT_EVENTS).run(runId, firstSeq, lastSeq, at, events);
  if (concernsFamily) insertFamilyEntry(connection, entry.lastInsertRowid, runId);
  if (state !== null) insertState(connection, state);
  for (const columns of keys) insertIdempotency(connection, columns);
  if (identity !== null) {
    const [namespace, , , createdAt] = identity;
    for (const columns of labels) insertLabel(connection, columns, namespace, createdAt);
  }
  if (endedAt === null && gates !== null) replaceGates(connection, runId, gates);
  else if (endedAt !== null && known !== null && known.gates > 0) replaceGates(connection, runId, []);
  for (const columns of decisions) insertDecision(connection, columns);
  return true;
}

/** Both are 0 for a run that does not exist. */
function knownRun(
  connection: Connection,
  runId: string,
): { readonly lastSeq: number; readonly gates: number } {
  const columns = connection.statement(KNOWN).get(runId);
  if (columns === undefined) return { lastSeq: 0, gates: 0 };
  return { lastSeq: numberOf(columns, 'last_seq'), gates: numberOf(columns, 'gates') };
}

/** Whether the source of a fork was purged while the fork was made. What is imported may come before its source. */
function lostItsSource(connection: Connection, identity: Identity): boolean {
  const [, , , , , origin, forkedFrom] = identity;
  return origin === 'fork' && forkedFrom !== null && knownRun(connection, forkedFrom).lastSeq === 0;
}

/** Null: the run is no child, or was imported. */
function rootOf(connection: Connection, [, , , , parentRunId, origin]: Identity): string | null {
  return parentRunId === null || origin !== 'child' ? null : readRoot(connection, parentRunId);
}

/** False when the run is not at the seq at which the append begins. */
function moveRun(
  connection: Connection,
  {
    runId,
    expectedSeq,
    lastSeq,
  }: { readonly runId: string; readonly expectedSeq: number; readonly lastSeq: number },
  progress: Progress,
  figures: Figures,
): boolean {
  const [status, updatedAt, endedAt, openExecutions, wakeAt] = progress;
  if (endedAt === null) {
    const expected = [runId, expectedSeq, status, endedAt, openExecutions, wakeAt] as const;
    if (connection.statement(MOVE_ON).run(updatedAt, ...figures, lastSeq, ...expected).changes > 0)
      return true;
  }
  return (
    connection.statement(UPDATE_RUN).run(...progress, ...figures, lastSeq, runId, expectedSeq).changes > 0
  );
}

function readKeys(operation: OperationReader): readonly IdempotencyColumns[] {
  const keys: IdempotencyColumns[] = [];
  for (let left = operation.number(); left > 0; left -= 1) {
    keys.push([operation.text(), operation.text(), operation.text(), operation.text()]);
  }
  return keys;
}

interface Extras {
  readonly labels: readonly LabelColumns[];
  readonly gates: readonly GateColumns[] | null;
  readonly decisions: readonly DecisionColumns[];
  readonly startedFrom: RegisteredAs | null;
  readonly concernsFamily: boolean;
  /** The pieces of the log before the last one, which stands in the append's own fields. */
  readonly earlier: readonly EventsColumns[];
}

/** last_seq, at, events. */
type EventsColumns = readonly [number, number, string];

const NONE: Extras = {
  labels: [],
  gates: null,
  decisions: [],
  startedFrom: null,
  concernsFamily: false,
  earlier: [],
};

/** Parts that only few appends have come after the others, each preceded by its sign. */
function readExtras(operation: OperationReader, runId: string): Extras {
  let extras = NONE;
  while (operation.hasMore) {
    const part = operation.number();
    if (part === LABELS) extras = { ...extras, labels: readLabels(operation, runId) };
    else if (part === OPEN_GATES) extras = { ...extras, gates: readGates(operation, runId) };
    else if (part === DECIDED_GATES) extras = { ...extras, decisions: readDecisions(operation, runId) };
    else if (part === STARTED_FROM) extras = { ...extras, startedFrom: readStartedFrom(operation) };
    else if (part === CONCERNS_FAMILY) extras = { ...extras, concernsFamily: true };
    else if (part === EARLIER_EVENTS) extras = { ...extras, earlier: readEarlier(operation) };
    else throw new TypeError(`there is no part ${part} of an append`);
  }
  return extras;
}

function readLabels(operation: OperationReader, runId: string): readonly LabelColumns[] {
  return Array.from({ length: operation.number() }, () => [runId, operation.text(), operation.text()]);
}

function readEarlier(operation: OperationReader): readonly EventsColumns[] {
  return Array.from({ length: operation.number() }, () => [
    operation.number(),
    operation.number(),
    operation.text(),
  ]);
}

function readStartedFrom(operation: OperationReader): RegisteredAs {
  const namespace = operation.text();
  const workflowId = operation.text();
  return { namespace, workflowId, hash: operation.text(), opening: operation.textOrNull() };
}
