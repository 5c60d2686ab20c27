import { numberOf, textOf, textOrNull, type Columns } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { ColumnList } from '../column-list.js';
import { DROP_TOMBSTONES, PURGE_ENDED, type Operation, type OperationReader } from '../operation.js';

/** A piece of a purge: the runs that ended before the instant, after a cursor in their order. */
const PURGE = new ColumnList({
  ended_before: 'number',
  through_position: 'number or null',
  limit: 'number',
  after_ended_at: 'number',
  after_run_id: 'text',
  /** How many candidates are looked at. */
  at_most: 'number',
});

/** Whether the run may be purged. Its last entry is the one with the highest seq: `log_of_run` has it with its position. */
const MAY_GO = `
  NOT EXISTS (SELECT 1 FROM family_log WHERE family_log.run_id = ended.run_id)
  AND NOT EXISTS (SELECT 1 FROM runs AS forks WHERE forks.forked_from = ended.run_id)
  AND (
    ?2 IS NULL
    OR (SELECT position FROM log WHERE log.run_id = ended.run_id ORDER BY last_seq DESC LIMIT 1) <= ?2
  )`;

/** The runs that ended before the instant, after a cursor in their order. */
const CANDIDATES = `
  SELECT run_id, namespace, workflow_id, forked_from, ended_at, (${MAY_GO}) AS may_go FROM runs AS ended
  WHERE ended_at IS NOT NULL AND ended_at < ?1 AND (ended_at, run_id) > (?3, ?4)
  ORDER BY ended_at, run_id LIMIT ?5`;

/** The run that another one was a fork of, if it may be purged by now. */
const SOURCE = `
  SELECT run_id, namespace, workflow_id, forked_from FROM runs AS ended
  WHERE run_id = ?3 AND ended_at IS NOT NULL AND ended_at < ?1 AND ${MAY_GO}`;

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
const DELETE_TOMBSTONES = 'DELETE FROM tombstones WHERE position <= ?';

export interface PurgePiece {
  readonly endedBefore: number;
  readonly throughPosition: number | null;
  readonly limit: number;
  readonly after: { readonly endedAt: number; readonly runId: string };
  readonly atMost: number;
}

export function purgeOperation(piece: PurgePiece): Operation {
  const { endedBefore, throughPosition, limit, after, atMost } = piece;
  const row = PURGE.row({
    ended_before: endedBefore,
    through_position: throughPosition,
    limit,
    after_ended_at: after.endedAt,
    after_run_id: after.runId,
    at_most: atMost,
  });
  return [PURGE_ENDED, ...row];
}

/**
 * Looks at no more than so many candidates and deletes those that may be purged, up to a limit: oldest end first, and each
 * with the run that it was a fork of, if nothing else keeps that, and so on. Returns the end and the id of the last one that
 * it looked at (two empty texts: there are no others after it), and then the ids of those that it deleted.
 */
export function purgeEnded(connection: Connection, operation: OperationReader): readonly string[] {
  const piece = PURGE.read(operation);
  const endedBefore = PURGE.field(piece, 'ended_before');
  const throughPosition = PURGE.field(piece, 'through_position');
  const limit = PURGE.field(piece, 'limit');
  const atMost = PURGE.field(piece, 'at_most');
  const after = [PURGE.field(piece, 'after_ended_at'), PURGE.field(piece, 'after_run_id')] as const;
  const candidates = connection.statement(CANDIDATES).all(endedBefore, throughPosition, ...after, atMost);
  const purged: string[] = [];
  let lookedAt = 0;
  for (const candidate of candidates) {
    if (purged.length >= limit) break;
    lookedAt += 1;
    let columns = numberOf(candidate, 'may_go') === 0 ? undefined : candidate;
    while (columns !== undefined && purged.length < limit) {
      purged.push(deleteRun(connection, columns));
      const source = textOrNull(columns, 'forked_from');
      columns =
        source === null ? undefined : connection.statement(SOURCE).get(endedBefore, throughPosition, source);
    }
  }
  const last = candidates[lookedAt - 1];
  const isAtEnd = lookedAt === candidates.length && candidates.length < atMost;
  if (last === undefined || isAtEnd) return ['', '', ...purged];
  return [String(numberOf(last, 'ended_at')), textOf(last, 'run_id'), ...purged];
}

function deleteRun(connection: Connection, columns: Columns): string {
  const runId = textOf(columns, 'run_id');
  for (const sql of DELETE_FROM_ALL) connection.statement(sql).run(runId);
  const { lastInsertRowid } = connection.statement(INSERT_TOMBSTONE).run(runId);
  connection
    .statement(DESCRIBE_TOMBSTONE)
    .run(lastInsertRowid, textOf(columns, 'namespace'), textOf(columns, 'workflow_id'));
  return runId;
}

export function dropTombstonesOperation(throughPosition: number): Operation {
  return [DROP_TOMBSTONES, throughPosition];
}

export function dropTombstones(connection: Connection, operation: OperationReader): void {
  const throughPosition = operation.number();
  connection.statement(DROP_ENTRIES).run(throughPosition);
  connection.statement(DELETE_TOMBSTONES).run(throughPosition);
}
