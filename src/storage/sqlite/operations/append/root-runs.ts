import { numberOf, textOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';

/** A run that is no child is a root, as is one that was imported, or whose family began before roots were kept. */
const READ_ROOT = 'SELECT coalesce(root_run_id, run_id) AS root FROM runs WHERE run_id = ?';

const COUNT_DESCENDANTS = `
  SELECT count(*) AS live FROM (SELECT 1 FROM runs WHERE root_run_id = ? AND ended_at IS NULL LIMIT ?)`;

/** The run that the run's family began with; the run itself where that is not known. */
export function readRoot(connection: Connection, runId: string): string {
  const columns = connection.statement(READ_ROOT).get(runId);
  return columns === undefined ? runId : textOf(columns, 'root');
}

export function countDescendants(
  connection: Connection,
  { rootRunId, atMost }: { readonly rootRunId: string; readonly atMost: number },
): number {
  const columns = connection.statement(COUNT_DESCENDANTS).get(rootRunId, atMost);
  return columns === undefined ? 0 : numberOf(columns, 'live');
}
