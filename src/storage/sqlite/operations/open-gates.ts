import type { OpenGate } from '../../../engine/ports/store/gates.js';
import { numberOf, textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import type { OperationReader } from '../writer/operation.js';

/** run_id, gate_id, unit_id, opened_at. */
export type GateColumns = readonly [string, number, string, number];

const DELETE_ALL = 'DELETE FROM open_gates WHERE run_id = ?';
const DELETE_OTHERS = `${DELETE_ALL} AND gate_id NOT IN (SELECT value FROM json_each(?))`;
/**
 * An open gate stays as it is: what it was opened with never changes. Namespace, workflow and creation come from the run's
 * row.
 */
const INSERT = `
  INSERT INTO open_gates (run_id, gate_id, unit_id, opened_at, namespace, workflow_id, created_at)
  SELECT run_id, ?2, ?3, ?4, namespace, workflow_id, created_at FROM runs WHERE run_id = ?1
  ON CONFLICT (run_id, gate_id) DO NOTHING`;
const COUNT = 'UPDATE runs SET gates = ? WHERE run_id = ?';
const IS_INDEXED = 'DELETE FROM unindexed_runs WHERE run_id = ?';
const READ = 'SELECT gate_id, unit_id, opened_at FROM open_gates WHERE run_id = ? ORDER BY gate_id LIMIT ?';
/** SQLite's value for no limit. */
const ALL = -1;

/** A run that ended is not listed: it has no open gate. */
const LIST_UNINDEXED = `
  SELECT unindexed_runs.run_id FROM unindexed_runs CROSS JOIN runs ON runs.run_id = unindexed_runs.run_id
  WHERE runs.ended_at IS NULL LIMIT ?`;

export function readGates(operation: OperationReader, runId: string): readonly GateColumns[] {
  return Array.from({ length: operation.number() }, () => [
    runId,
    operation.number(),
    operation.text(),
    operation.number(),
  ]);
}

export function replaceGates(connection: Connection, runId: string, gates: readonly GateColumns[]): void {
  if (gates.length === 0) connection.statement(DELETE_ALL).run(runId);
  else connection.statement(DELETE_OTHERS).run(runId, JSON.stringify(gates.map(([, gateId]) => gateId)));
  for (const columns of gates) connection.statement(INSERT).run(...columns);
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

/** Leaves a run alone that is indexed: an append came first, and has the newer gates. */
export function indexRun(connection: Connection, operation: OperationReader): void {
  const runId = operation.text();
  const { changes } = connection.statement(IS_INDEXED).run(runId);
  if (changes > 0) replaceGates(connection, runId, readGates(operation, runId));
}
