import { textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import type { OperationReader } from '../writer/operation.js';

/** While followers are far behind, this bounds how long other writes wait for a search among what must stay. */
const MAX_CANDIDATES = 10_000;

/** The run's last entry is the one with its highest seq: `log_of_run` has it with its position. */
const ENDED = `
  SELECT run_id, namespace, workflow_id FROM (
    SELECT run_id, namespace, workflow_id, ended_at FROM runs
    WHERE ended_at IS NOT NULL AND ended_at < ?1 ORDER BY ended_at, run_id LIMIT ${MAX_CANDIDATES}
  ) AS ended
  WHERE NOT EXISTS (SELECT 1 FROM family_log WHERE family_log.run_id = ended.run_id)
    AND NOT EXISTS (SELECT 1 FROM runs AS forks WHERE forks.forked_from = ended.run_id)
    AND (
      ?2 IS NULL
      OR (SELECT position FROM log WHERE log.run_id = ended.run_id ORDER BY last_seq DESC LIMIT 1) <= ?2
    )
  ORDER BY ended_at, run_id LIMIT ?3`;

const DELETE_FROM_ALL = [
  'log',
  'states',
  'idempotency',
  'run_labels',
  'open_gates',
  'decided_gates',
  'unindexed_runs',
  'runs',
].map((table) => `DELETE FROM ${table} WHERE run_id = ?`);

const INSERT_TOMBSTONE = `INSERT INTO log (run_id, first_seq, last_seq, at, events) VALUES (?, 0, 0, 0, '')`;
const DESCRIBE_TOMBSTONE = 'INSERT INTO tombstones (position, namespace, workflow_id) VALUES (?, ?, ?)';

const DROP_ENTRIES =
  'DELETE FROM log WHERE position IN (SELECT position FROM tombstones WHERE position <= ?)';
const DROP_TOMBSTONES = 'DELETE FROM tombstones WHERE position <= ?';

/** Answers the ids of the runs that it deleted, oldest end first. */
export function purgeEnded(connection: Connection, operation: OperationReader): readonly string[] {
  const endedBefore = operation.number();
  const throughPosition = operation.numberOrNull();
  const ended = connection.statement(ENDED).all(endedBefore, throughPosition, operation.number());
  return ended.map((columns) => {
    const runId = textOf(columns, 'run_id');
    for (const sql of DELETE_FROM_ALL) connection.statement(sql).run(runId);
    const { lastInsertRowid } = connection.statement(INSERT_TOMBSTONE).run(runId);
    connection
      .statement(DESCRIBE_TOMBSTONE)
      .run(lastInsertRowid, textOf(columns, 'namespace'), textOf(columns, 'workflow_id'));
    return runId;
  });
}

export function dropTombstones(connection: Connection, operation: OperationReader): void {
  const throughPosition = operation.number();
  connection.statement(DROP_ENTRIES).run(throughPosition);
  connection.statement(DROP_TOMBSTONES).run(throughPosition);
}
