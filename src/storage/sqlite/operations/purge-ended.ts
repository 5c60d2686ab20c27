import { textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import type { OperationReader } from '../writer/operation.js';

const ENDED = `
  SELECT run_id FROM runs WHERE ended_at IS NOT NULL AND ended_at < ? ORDER BY ended_at, run_id LIMIT ?`;

const DELETE_FROM_ALL = ['log', 'states', 'idempotency', 'runs'].map(
  (table) => `DELETE FROM ${table} WHERE run_id = ?`,
);

/** Answers the ids of the runs that it deleted, oldest end first. */
export function purgeEnded(connection: Connection, operation: OperationReader): readonly string[] {
  const ended = connection.statement(ENDED).all(operation.number(), operation.number());
  const runIds = ended.map((columns) => textOf(columns, 'run_id'));
  for (const runId of runIds) {
    for (const sql of DELETE_FROM_ALL) connection.statement(sql).run(runId);
  }
  return runIds;
}
