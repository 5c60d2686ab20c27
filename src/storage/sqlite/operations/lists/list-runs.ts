import type { RunIndex, ShardSet } from '../../../../engine/ports/store/run-index.js';
import type { RunRow } from '../../../../engine/ports/store/run-row.js';
import { ROW_COLUMNS, rowOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';

export type ListUnfinishedRequest = Parameters<RunIndex['listUnfinished']>[0];
export type ListDueRequest = Parameters<RunIndex['listDue']>[0];
export type ListChildrenRequest = Parameters<RunIndex['listChildren']>[0];
export type ListRunsBelowRequest = Parameters<NonNullable<RunIndex['listRunsBelowWithGates']>>[0];

/**
 * The last byte of a run's id; 0 where the id ends in no byte in lower-case hex. It is computed in the query, from the index
 * that has the id: a column, even a virtual one, would make each append half a microsecond slower.
 */
const SHARD_BYTE = `
  CASE WHEN substr(run_id, -2) GLOB '[0-9a-f][0-9a-f]'
    THEN 16 * (instr('0123456789abcdef', substr(run_id, -2, 1)) - 1)
      + instr('0123456789abcdef', substr(run_id, -1)) - 1
    ELSE 0 END`;

/** Runs outside the shards are skipped: the owner of a SQLite folder nearly always owns all of them. */
const IN_SHARDS = `AND (${SHARD_BYTE}) % ? IN (SELECT value FROM json_each(?))`;

const listUnfinishedSql = (inShards: string): string => `
  SELECT ${ROW_COLUMNS} FROM runs
  WHERE ended_at IS NULL AND open_executions > 0 AND run_id > ? ${inShards}
  ORDER BY run_id LIMIT ?`;

const listDueSql = (inShards: string): string => `
  SELECT ${ROW_COLUMNS} FROM runs
  WHERE ended_at IS NULL AND wake_at IS NOT NULL AND wake_at <= ? AND (wake_at, run_id) > (?, ?) ${inShards}
  ORDER BY wake_at, run_id LIMIT ?`;

const LIST_UNFINISHED = { all: listUnfinishedSql(''), inLanes: listUnfinishedSql(IN_SHARDS) };
const LIST_DUE = { all: listDueSql(''), inLanes: listDueSql(IN_SHARDS) };

export function listUnfinished(connection: Connection, request: ListUnfinishedRequest): readonly RunRow[] {
  const { lanes: shards, afterRunId, limit } = request;
  const sql = shards === null ? LIST_UNFINISHED.all : LIST_UNFINISHED.inLanes;
  return connection
    .statement(sql)
    .all(afterRunId ?? '', ...shardValues(shards), limit)
    .map(rowOf);
}

export function listDue(connection: Connection, request: ListDueRequest): readonly RunRow[] {
  const { lanes: shards, before, after, limit } = request;
  const sql = shards === null ? LIST_DUE.all : LIST_DUE.inLanes;
  const cursor = [after?.wakeAt ?? Number.MIN_SAFE_INTEGER, after?.runId ?? ''] as const;
  return connection
    .statement(sql)
    .all(before, ...cursor, ...shardValues(shards), limit)
    .map(rowOf);
}

const LIST_CHILDREN = `
  SELECT ${ROW_COLUMNS} FROM runs
  WHERE parent_run_id = ? AND ended_at IS NULL AND run_id > ? ORDER BY run_id LIMIT ?`;

export function listChildren(connection: Connection, request: ListChildrenRequest): readonly RunRow[] {
  const { parentRunId, afterRunId, limit } = request;
  return connection
    .statement(LIST_CHILDREN)
    .all(parentRunId, afterRunId ?? '', limit)
    .map(rowOf);
}

/** Those that wait for something are few: each is found by its parent. */
const LIST_BELOW_WITH_GATES = `
  WITH RECURSIVE below (run_id) AS (
    SELECT run_id FROM runs WHERE parent_run_id = ? AND ended_at IS NULL
    UNION ALL
    SELECT child.run_id FROM below JOIN runs AS child
      ON child.parent_run_id = below.run_id AND child.ended_at IS NULL
  )
  SELECT ${ROW_COLUMNS} FROM runs WHERE run_id IN below AND gates > 0 AND run_id > ? ORDER BY run_id LIMIT ?`;

export function listRunsBelowWithGates(
  connection: Connection,
  { runId, afterRunId, limit }: ListRunsBelowRequest,
): readonly RunRow[] {
  return connection
    .statement(LIST_BELOW_WITH_GATES)
    .all(runId, afterRunId ?? '', limit)
    .map(rowOf);
}

function shardValues(shards: ShardSet | null): readonly (number | string)[] {
  return shards === null ? [] : [shards.count, JSON.stringify(shards.lanes)];
}
