import { numberOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { isRegistered } from '../definitions/registrations.js';
import { insertFamilyEntry } from '../log/family-log.js';
import { insertState } from '../log/states.js';
import type { OperationReader } from '../operation.js';
import {
  FIGURES,
  IDENTITY,
  PIECE,
  PROGRESS,
  readAppendOperation,
  type Append,
  type Identity,
} from './append-operation.js';
import { insertDecision } from './decided-gates.js';
import { hasIdempotency, insertIdempotency } from './idempotency.js';
import { insertLabel } from './labels.js';
import { replaceGates } from './open-gates.js';
import { readRoot } from './root-runs.js';

const KNOWN = 'SELECT last_seq, gates FROM runs WHERE run_id = ?';

/** Inserts nothing when the run exists already. */
const INSERT_RUN = `
  INSERT INTO runs (
    run_id, ${IDENTITY.names}, ${PROGRESS.names}, ${FIGURES.names}, last_seq, root_run_id
  ) VALUES (?, ${IDENTITY.marks}, ${PROGRESS.marks}, ${FIGURES.marks}, ?, ?) ON CONFLICT (run_id) DO NOTHING`;

/**
 * The update of most appends, which change no more than the run's seq, its time and what it spent. No index has any of
 * these, so that none is touched; the columns that some index has are compared. (A run that has not ended is not cancelled.)
 */
const MOVE_ON = `
  UPDATE runs SET updated_at = ?, ${FIGURES.assignments}, last_seq = ?
  WHERE run_id = ? AND last_seq = ? AND status = ? AND ended_at IS ? AND open_executions = ? AND wake_at IS ?`;

/** What never changes of a run is left out, so that its indexes are not touched. */
const UPDATE_RUN = `
  UPDATE runs SET ${PROGRESS.assignments}, ${FIGURES.assignments}, last_seq = ?
  WHERE run_id = ? AND last_seq = ?`;

const INSERT_PIECE = `INSERT INTO log (run_id, first_seq, ${PIECE.names}) VALUES (?, ?, ${PIECE.marks})`;

/** Returns the position of the append, unless another append was first (null) or the registration is another by now. */
export function appendRun(connection: Connection, operation: OperationReader): number | null | 'stale' {
  const append = readAppendOperation(operation);
  const { runId, expectedSeq, progress, identity, state, keys, extras } = append;
  const { labels, gates, decisions, startedFrom, concernsFamily } = extras;

  // Most appends are refused, if at all, by what they write: the run is only looked up where more depends on it.
  const endedAt = PROGRESS.field(progress, 'ended_at');
  const isLookedUp = endedAt !== null || keys.length > 0 || startedFrom !== null;
  const known = isLookedUp ? knownRun(connection, runId) : null;
  if (known !== null && known.lastSeq !== expectedSeq) return null;
  if (keys.some((key) => hasIdempotency(connection, key))) return null;
  if (startedFrom !== null && !isRegistered(connection, startedFrom)) return 'stale';
  if (identity !== null && lostItsSource(connection, identity)) return 'stale';

  const isWritten = identity === null ? moveRun(connection, append) : insertRun(connection, append, identity);
  if (!isWritten) return null;
  const position = insertLog(connection, append);
  if (concernsFamily) insertFamilyEntry(connection, position, runId);
  if (state !== null) insertState(connection, runId, state);
  for (const key of keys) insertIdempotency(connection, key);
  if (identity !== null) {
    const run = {
      runId,
      namespace: IDENTITY.field(identity, 'namespace'),
      createdAt: IDENTITY.field(identity, 'created_at'),
    };
    for (const label of labels) insertLabel(connection, run, label);
  }
  if (endedAt === null && gates !== null) replaceGates(connection, runId, gates);
  else if (endedAt !== null && known !== null && known.gates > 0) replaceGates(connection, runId, []);
  for (const decision of decisions) insertDecision(connection, runId, decision);
  return position;
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
  const source = IDENTITY.field(identity, 'forked_from');
  if (source === null || IDENTITY.field(identity, 'origin') !== 'fork') return false;
  return knownRun(connection, source).lastSeq === 0;
}

/** Null: the run is no child, or was imported. */
function rootOf(connection: Connection, identity: Identity): string | null {
  const parent = IDENTITY.field(identity, 'parent_run_id');
  return parent === null || IDENTITY.field(identity, 'origin') !== 'child'
    ? null
    : readRoot(connection, parent);
}

/** False when the run exists. */
function insertRun(connection: Connection, append: Append, identity: Identity): boolean {
  const { runId, progress, figures, lastPiece } = append;
  const lastSeq = PIECE.field(lastPiece, 'last_seq');
  const root = rootOf(connection, identity);
  const inserted = connection
    .statement(INSERT_RUN)
    .run(runId, ...identity, ...progress, ...figures, lastSeq, root);
  return inserted.changes > 0;
}

/** False when the run is not at the seq at which the append begins. */
function moveRun(connection: Connection, append: Append): boolean {
  const { runId, expectedSeq, progress, figures, lastPiece } = append;
  const lastSeq = PIECE.field(lastPiece, 'last_seq');
  if (PROGRESS.field(progress, 'ended_at') === null) {
    const moved = connection
      .statement(MOVE_ON)
      .run(
        PROGRESS.field(progress, 'updated_at'),
        ...figures,
        lastSeq,
        runId,
        expectedSeq,
        PROGRESS.field(progress, 'status'),
        null,
        PROGRESS.field(progress, 'open_executions'),
        PROGRESS.field(progress, 'wake_at'),
      );
    if (moved.changes > 0) return true;
  }
  const updated = connection.statement(UPDATE_RUN).run(...progress, ...figures, lastSeq, runId, expectedSeq);
  return updated.changes > 0;
}

/** Returns the position of the last piece. */
function insertLog(connection: Connection, { runId, expectedSeq, lastPiece, extras }: Append): number {
  const insert = connection.statement(INSERT_PIECE);
  let firstSeq = expectedSeq + 1;
  for (const piece of extras.earlierPieces) {
    insert.run(runId, firstSeq, ...piece);
    firstSeq = PIECE.field(piece, 'last_seq') + 1;
  }
  return Number(insert.run(runId, firstSeq, ...lastPiece).lastInsertRowid);
}
