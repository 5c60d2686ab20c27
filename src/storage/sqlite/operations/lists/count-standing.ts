import type { RunIndex } from '../../../../engine/ports/store/run-index.js';
import { UNFINISHED_STATUSES } from '../../../../engine/vocabulary.js';
import { numberOf, textOrNull } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';

export type CountOpenRunsRequest = Parameters<RunIndex['countOpenRuns']>[0];
export type UnfinishedTotals = Awaited<ReturnType<RunIndex['countStanding']>>;

/** Steps from one namespace to the next, however many runs each has. */
const NEXT_NAMESPACE =
  'SELECT min(namespace) AS namespace FROM runs INDEXED BY runs_by_age WHERE namespace > ?';

/** Failed runs are in the same index: they are skipped. */
const COUNT = `
  SELECT count(*) AS count FROM runs INDEXED BY runs_not_completed
  WHERE namespace = ? AND status = ? AND status <> 'completed'`;

/** Counts no further than it has to. */
const COUNT_OPEN = `
  SELECT count(*) AS count FROM (
    SELECT 1 FROM runs INDEXED BY runs_not_completed
    WHERE namespace = ? AND status IN (${UNFINISHED_STATUSES.map((status) => `'${status}'`).join(', ')})
      AND status <> 'completed'
    LIMIT ?
  )`;

const COUNT_GATES = 'SELECT count(*) AS count FROM open_gates';

export function countStanding(connection: Connection): UnfinishedTotals {
  return connection.snapshot(() => {
    const totals = { pending: 0, running: 0, paused: 0 };
    for (let namespace = nextNamespace(connection, ''); namespace !== null;) {
      for (const status of UNFINISHED_STATUSES) {
        totals[status] += numberOf(connection.statement(COUNT).get(namespace, status) ?? {}, 'count');
      }
      namespace = nextNamespace(connection, namespace);
    }
    const openGates = numberOf(connection.statement(COUNT_GATES).get() ?? {}, 'count');
    return { ...totals, openGates };
  });
}

export function countOpenRuns(connection: Connection, { namespace, atMost }: CountOpenRunsRequest): number {
  return numberOf(connection.statement(COUNT_OPEN).get(namespace, atMost) ?? {}, 'count');
}

function nextNamespace(connection: Connection, after: string): string | null {
  return textOrNull(connection.statement(NEXT_NAMESPACE).get(after) ?? { namespace: null }, 'namespace');
}
