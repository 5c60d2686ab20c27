import type { OpenGate } from '../../../../engine/ports/store/gates.js';
import { numberOf, textOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { ColumnList, type RowOf } from '../column-list.js';
import { INDEX_RUN, type FlatValue, type Operation, type OperationReader } from '../operation.js';

export const GATE = new ColumnList({ gate_id: 'number', unit_id: 'text', opened_at: 'number' });
export type GateRow = RowOf<typeof GATE>;

const DELETE_ALL = 'DELETE FROM open_gates WHERE run_id = ?';
const DELETE_OTHERS = `${DELETE_ALL} AND gate_id NOT IN (SELECT value FROM json_each(?))`;
/**
 * An open gate stays as it is: what it was opened with never changes. Namespace, workflow and creation come from the run's
 * row.
 */
const INSERT = `
  INSERT INTO open_gates (${GATE.names}, run_id, namespace, workflow_id, created_at)
  SELECT ${GATE.marks}, run_id, namespace, workflow_id, created_at FROM runs WHERE run_id = ?
  ON CONFLICT (run_id, gate_id) DO NOTHING`;
const COUNT = 'UPDATE runs SET gates = ? WHERE run_id = ?';
const IS_INDEXED = 'DELETE FROM unindexed_runs WHERE run_id = ?';
const READ = `SELECT ${GATE.names} FROM open_gates WHERE run_id = ? ORDER BY gate_id LIMIT ?`;
/** SQLite's value for no limit. */
const ALL = -1;

/** A run that ended is not listed: it has no open gate. */
const LIST_UNINDEXED = `
  SELECT unindexed_runs.run_id FROM unindexed_runs CROSS JOIN runs ON runs.run_id = unindexed_runs.run_id
  WHERE runs.ended_at IS NULL LIMIT ?`;

export function gateRow({ gateId: gate_id, unitId: unit_id, openedAt: opened_at }: OpenGate): GateRow {
  return GATE.row({ gate_id, unit_id, opened_at });
}

export function replaceGates(connection: Connection, runId: string, gates: readonly GateRow[]): void {
  const ids = gates.map((gate) => GATE.field(gate, 'gate_id'));
  if (gates.length === 0) connection.statement(DELETE_ALL).run(runId);
  else connection.statement(DELETE_OTHERS).run(runId, JSON.stringify(ids));
  for (const gate of gates) connection.statement(INSERT).run(...gate, runId);
  connection.statement(COUNT).run(gates.length, runId);
  connection.statement(IS_INDEXED).run(runId);
}

export function listOpenGates(connection: Connection, runId: string): readonly OpenGate[] {
  return oldestOpenGates(connection, runId, ALL);
}

export function oldestOpenGates(connection: Connection, runId: string, limit: number): readonly OpenGate[] {
  return connection
    .statement(READ)
    .all(runId, limit)
    .map((columns) => ({
      gateId: numberOf(columns, 'gate_id'),
      unitId: textOf(columns, 'unit_id'),
      openedAt: numberOf(columns, 'opened_at'),
    }));
}

export function listUnindexed(connection: Connection, limit: number): readonly string[] {
  return connection
    .statement(LIST_UNINDEXED)
    .all(limit)
    .map((columns) => textOf(columns, 'run_id'));
}

export function indexRunOperation(runId: string, openGates: readonly OpenGate[]): Operation {
  const operation: FlatValue[] = [INDEX_RUN, runId];
  GATE.addAll(operation, openGates.map(gateRow));
  return operation;
}

/** Leaves a run alone that is indexed: an append came first, and has the newer gates. */
export function indexRun(connection: Connection, operation: OperationReader): void {
  const runId = operation.text();
  const { changes } = connection.statement(IS_INDEXED).run(runId);
  if (changes > 0) replaceGates(connection, runId, GATE.readAll(operation));
}
