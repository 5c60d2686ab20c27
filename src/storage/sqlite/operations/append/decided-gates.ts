import type { DecidedGate } from '../../../../engine/ports/store/gates.js';
import type { Connection } from '../../connection/connection.js';
import { ColumnList, type RowOf } from '../column-list.js';

export const DECISION = new ColumnList({
  gate_id: 'number',
  unit_id: 'text',
  opened_at: 'number',
  decided_at: 'number',
  decided_seq: 'number',
});
export type DecisionRow = RowOf<typeof DECISION>;

/**
 * Namespace and workflow come from the run's row. A gate that was decided, opened again by a rewind and decided again is
 * there once.
 */
const INSERT = `
  INSERT INTO decided_gates (${DECISION.names}, run_id, namespace, workflow_id)
  SELECT ${DECISION.marks}, run_id, namespace, workflow_id FROM runs WHERE run_id = ?
  ON CONFLICT (run_id, gate_id) DO UPDATE SET
    unit_id = excluded.unit_id, opened_at = excluded.opened_at,
    decided_at = excluded.decided_at, decided_seq = excluded.decided_seq`;

export function decisionRow(gate: DecidedGate): DecisionRow {
  const { gateId: gate_id, unitId: unit_id, openedAt: opened_at } = gate;
  return DECISION.row({
    gate_id,
    unit_id,
    opened_at,
    decided_at: gate.decidedAt,
    decided_seq: gate.decidedSeq,
  });
}

export function insertDecision(connection: Connection, runId: string, decision: DecisionRow): void {
  connection.statement(INSERT).run(...decision, runId);
}
