import type { RunIndex } from '../../../engine/ports/store/run-index.js';
import { UNFINISHED_STATUSES } from '../../../engine/vocabulary.js';
import { numberOf } from '../database/columns.js';
import type { Columns, Query } from '../database/database.js';

export type CountOpenRunsRequest = Parameters<RunIndex['countOpenRuns']>[0];
export type UnfinishedTotals = Awaited<ReturnType<RunIndex['countStanding']>>;

/** The replica whose role it is counts every five seconds. Where nobody does, as before the first count, whoever asks counts. */
const FRESH_MS = 15_000;

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Steps from one namespace to the next, however many runs each has. */
const NAMESPACES = `
  WITH RECURSIVE namespaces (namespace) AS (
    (SELECT r.namespace FROM @.runs AS r ORDER BY r.namespace LIMIT 1)
    UNION ALL
    SELECT (SELECT r.namespace FROM @.runs AS r WHERE r.namespace > n.namespace ORDER BY r.namespace LIMIT 1)
    FROM namespaces AS n WHERE n.namespace IS NOT NULL
  )`;

/** Failed runs are in the same index: they are skipped. */
const totalOf = (status: keyof UnfinishedTotals): string => `coalesce(sum((
      SELECT count(*) FROM @.runs AS r
      WHERE r.namespace = n.namespace AND r.status = '${status}' AND r.status <> 'completed'
    )), 0)::bigint AS ${status}`;

const TOTALS = `
    ${totalOf('pending')},
    ${totalOf('running')},
    ${totalOf('paused')},
    (SELECT count(*) FROM @.open_gates) AS open_gates
  FROM namespaces AS n WHERE n.namespace IS NOT NULL`;

const COUNT = `${NAMESPACES}
  SELECT ${TOTALS}`;

const RECORD = `${NAMESPACES}
  INSERT INTO @.standing (counted_at, pending, running, paused, open_gates)
  SELECT ${NOW}, ${TOTALS}
  ON CONFLICT (is_only) DO UPDATE SET
    counted_at = excluded.counted_at, pending = excluded.pending, running = excluded.running,
    paused = excluded.paused, open_gates = excluded.open_gates`;

const READ = `
  SELECT pending, running, paused, open_gates FROM @.standing WHERE counted_at > ${NOW} - ${FRESH_MS}`;

export async function countStanding(query: Query): Promise<UnfinishedTotals> {
  const [recorded] = await query(READ);
  if (recorded !== undefined) return totalsOf(recorded);
  const [counted = {}] = await query(COUNT);
  return totalsOf(counted);
}

/** Of one namespace, and no further than it has to. */
const COUNT_OPEN = `
  SELECT count(*) AS open FROM (
    SELECT 1 FROM @.runs
    WHERE namespace = $1 AND status IN (${UNFINISHED_STATUSES.map((status) => `'${status}'`).join(', ')})
      AND status <> 'completed'
    LIMIT $2::integer
  ) AS counted`;

export async function countOpenRuns(
  query: Query,
  { namespace, atMost }: CountOpenRunsRequest,
): Promise<number> {
  const [columns = {}] = await query(COUNT_OPEN, [namespace, atMost]);
  return numberOf(columns, 'open');
}

/** Counts for all replicas: the work of the role `standing`. */
export async function recordStanding(query: Query): Promise<void> {
  await query(RECORD);
}

function totalsOf(columns: Columns): UnfinishedTotals {
  return {
    pending: numberOf(columns, 'pending'),
    running: numberOf(columns, 'running'),
    paused: numberOf(columns, 'paused'),
    openGates: numberOf(columns, 'open_gates'),
  };
}
