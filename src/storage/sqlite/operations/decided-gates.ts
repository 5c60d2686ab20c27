import type { Connection } from '../connection/connection.js';
import type { OperationReader } from '../writer/operation.js';

/** run_id, gate_id, unit_id, opened_at, decided_at, decided_seq. */
export type DecisionColumns = readonly [string, number, string, number, number, number];

/**
 * Namespace and workflow come from the run's row. A gate that was decided, opened again by a rewind and decided again is
 * there once.
 */
const INSERT = `
  INSERT INTO decided_gates
    (run_id, gate_id, unit_id, opened_at, decided_at, decided_seq, namespace, workflow_id)
  SELECT run_id, ?2, ?3, ?4, ?5, ?6, namespace, workflow_id FROM runs WHERE run_id = ?1
  ON CONFLICT (run_id, gate_id) DO UPDATE SET
    unit_id = excluded.unit_id, opened_at = excluded.opened_at,
    decided_at = excluded.decided_at, decided_seq = excluded.decided_seq`;

export function readDecisions(operation: OperationReader, runId: string): readonly DecisionColumns[] {
  return Array.from({ length: operation.number() }, () => [
    runId,
    operation.number(),
    operation.text(),
    operation.number(),
    operation.number(),
    operation.number(),
  ]);
}

export function insertDecision(connection: Connection, columns: DecisionColumns): void {
  connection.statement(INSERT).run(...columns);
}
