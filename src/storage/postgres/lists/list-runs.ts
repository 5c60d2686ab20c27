import type { RunIndex } from '../../../engine/ports/store/run-index.js';
import type { RunRow } from '../../../engine/ports/store/run-row.js';
import { prefixed, ROW_COLUMNS, rowOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { isRunId, LEAST_ID, leastIdAfter } from './run-ids.js';
import { bytesOf } from './shard-bytes.js';

export type ListUnfinishedRequest = Parameters<RunIndex['listUnfinished']>[0];
export type ListDueRequest = Parameters<RunIndex['listDue']>[0];
export type ListChildrenRequest = Parameters<RunIndex['listChildren']>[0];
export type ListRunsBelowRequest = Parameters<NonNullable<RunIndex['listRunsBelowWithGates']>>[0];

/**
 * The indexes of sweeps begin with the shard's byte: of each byte the first so many entries are read, without their rows, and of
 * all those the first so many are shown. So a page costs what it shows for each byte, however many runs other replicas have.
 * OFFSET 0: a row is read by its id, whatever PostgreSQL expects of the table.
 */
const ROW_OF_NEXT = `
  SELECT ${prefixed('r')} FROM next CROSS JOIN LATERAL (
    SELECT ${ROW_COLUMNS} FROM @.runs AS one WHERE one.run_id = next.run_id OFFSET 0
  ) AS r`;

const LIST_UNFINISHED = `
  WITH next AS MATERIALIZED (
    SELECT entries.run_id FROM unnest($1::smallint[]) AS shard (byte) CROSS JOIN LATERAL (
      SELECT d.run_id FROM @.runs AS d
      WHERE d.shard_byte = shard.byte AND d.ended_at IS NULL AND d.open_executions > 0 AND d.run_id >= $2::uuid
      ORDER BY d.run_id LIMIT $3::integer
    ) AS entries ORDER BY entries.run_id LIMIT $3::integer
  )${ROW_OF_NEXT} ORDER BY r.run_id`;

const LIST_DUE = `
  WITH next AS MATERIALIZED (
    SELECT entries.wake_at, entries.run_id FROM unnest($1::smallint[]) AS shard (byte) CROSS JOIN LATERAL (
      SELECT d.wake_at, d.run_id FROM @.runs AS d
      WHERE d.shard_byte = shard.byte AND d.ended_at IS NULL AND d.wake_at IS NOT NULL
        AND d.wake_at <= $2::bigint AND (d.wake_at, d.run_id) >= ($3::bigint, $4::uuid)
      ORDER BY d.wake_at, d.run_id LIMIT $5::integer
    ) AS entries ORDER BY entries.wake_at, entries.run_id LIMIT $5::integer
  )${ROW_OF_NEXT} ORDER BY r.wake_at, r.run_id`;

const LIST_CHILDREN = `
  SELECT ${ROW_COLUMNS} FROM @.runs
  WHERE parent_run_id = $1::uuid AND ended_at IS NULL AND run_id >= $2::uuid
  ORDER BY run_id LIMIT $3::integer`;

/**
 * Those that wait for something are few: each is found by its parent. UNION, and not UNION ALL: imported runs that name one
 * another as parents end it, too.
 */
const LIST_BELOW_WITH_GATES = `
  WITH RECURSIVE below (run_id) AS (
    SELECT run_id FROM @.runs WHERE parent_run_id = $1::uuid AND ended_at IS NULL
    UNION
    SELECT child.run_id FROM below CROSS JOIN LATERAL (
      SELECT one.run_id FROM @.runs AS one
      WHERE one.parent_run_id = below.run_id AND one.ended_at IS NULL OFFSET 0
    ) AS child
  )
  SELECT ${prefixed('r')} FROM below CROSS JOIN LATERAL (
    SELECT ${ROW_COLUMNS}, gates FROM @.runs AS one WHERE one.run_id = below.run_id OFFSET 0
  ) AS r
  WHERE below.run_id >= $2::uuid AND r.gates > 0
  ORDER BY r.run_id LIMIT $3::integer`;

export async function listUnfinished(
  query: Query,
  { lanes: shards, afterRunId, limit }: ListUnfinishedRequest,
): Promise<readonly RunRow[]> {
  const first = firstId(afterRunId);
  if (first === null) return [];
  return (await query(LIST_UNFINISHED, [bytesOf(shards), first, limit])).map(rowOf);
}

export async function listDue(
  query: Query,
  { lanes: shards, before, after, limit }: ListDueRequest,
): Promise<readonly RunRow[]> {
  const first = after === null ? [Number.MIN_SAFE_INTEGER, LEAST_ID] : firstDue(after);
  return (await query(LIST_DUE, [bytesOf(shards), before, ...first, limit])).map(rowOf);
}

export async function listChildren(
  query: Query,
  { parentRunId, afterRunId, limit }: ListChildrenRequest,
): Promise<readonly RunRow[]> {
  const first = firstId(afterRunId);
  if (first === null || !isRunId(parentRunId)) return [];
  return (await query(LIST_CHILDREN, [parentRunId, first, limit])).map(rowOf);
}

export async function listRunsBelowWithGates(
  query: Query,
  { runId, afterRunId, limit }: ListRunsBelowRequest,
): Promise<readonly RunRow[]> {
  const first = firstId(afterRunId);
  if (first === null || !isRunId(runId)) return [];
  return (await query(LIST_BELOW_WITH_GATES, [runId, first, limit])).map(rowOf);
}

/** The least id of the page; null: no id comes after the given one. */
function firstId(afterRunId: string | null): string | null {
  return afterRunId === null ? LEAST_ID : leastIdAfter(afterRunId);
}

/** The least entry of the page. The id to go on after need be no run's: one after all of them stands for the end of its instant. */
function firstDue({ wakeAt, runId }: NonNullable<ListDueRequest['after']>): readonly [number, string] {
  const least = leastIdAfter(runId);
  return least === null ? [wakeAt + 1, LEAST_ID] : [wakeAt, least];
}
