import type { Connection } from '../connection/connection.js';
import type { OperationReader } from '../writer/operation.js';
import { hasIdempotency, insertIdempotency, type IdempotencyColumns } from './idempotency.js';
import { insertState } from './states.js';

const LAST_SEQ = 'SELECT last_seq FROM runs WHERE run_id = ?';

const INSERT_RUN = `
  INSERT INTO runs (
    run_id, workflow_id, definition_hash, created_at, status, updated_at, ended_at, open_executions, wake_at, last_seq
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** A run keeps its workflow, definition and creation for ever; left out, their indexes are not touched. */
const UPDATE_RUN = `
  UPDATE runs SET status = ?, updated_at = ?, ended_at = ?, open_executions = ?, wake_at = ?, last_seq = ?
  WHERE run_id = ?`;

const INSERT_EVENTS = 'INSERT INTO log (run_id, first_seq, last_seq, at, events) VALUES (?, ?, ?, ?, ?)';

/** Appends unless somebody was first; answers whether it did. */
export function appendRun(connection: Connection, operation: OperationReader): boolean {
  const runId = operation.text();
  const expectedSeq = operation.number();
  const lastSeq = operation.number();
  const at = operation.number();
  const events = operation.text();
  const identity = [operation.text(), operation.text(), operation.number()] as const;
  const progress = [
    operation.text(),
    operation.number(),
    operation.numberOrNull(),
    operation.number(),
    operation.numberOrNull(),
  ] as const;
  const stateSeq = operation.numberOrNull();
  const state = stateSeq === null ? null : ([runId, stateSeq, operation.number(), operation.text()] as const);
  const keys = readKeys(operation);

  const known = connection.statement(LAST_SEQ).get(runId)?.['last_seq'] ?? 0;
  if (known !== expectedSeq) return false;
  if (keys.some((columns) => hasIdempotency(connection, columns))) return false;

  if (expectedSeq === 0) connection.statement(INSERT_RUN).run(runId, ...identity, ...progress, lastSeq);
  else connection.statement(UPDATE_RUN).run(...progress, lastSeq, runId);
  connection.statement(INSERT_EVENTS).run(runId, expectedSeq + 1, lastSeq, at, events);
  if (state !== null) insertState(connection, state);
  for (const columns of keys) insertIdempotency(connection, columns);
  return true;
}

function readKeys(operation: OperationReader): readonly IdempotencyColumns[] {
  const keys: IdempotencyColumns[] = [];
  for (let left = operation.number(); left > 0; left -= 1) {
    keys.push([operation.text(), operation.text(), operation.text(), operation.text()]);
  }
  return keys;
}
