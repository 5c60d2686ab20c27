import type { RunIndex } from '../../../engine/ports/store/run-index.js';
import { numberOf, textOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { isRunId } from './run-ids.js';

export type ReadRootRequest = Parameters<RunIndex['readRoot']>[0];
export type CountDescendantsRequest = Parameters<RunIndex['countDescendants']>[0];

/** A run that is no child is a root, as is one that was imported. */
const READ_ROOT = 'SELECT coalesce(root_run_id, run_id) AS root FROM @.runs WHERE run_id = $1::uuid';

const COUNT_DESCENDANTS = `
  SELECT count(*) AS live FROM (
    SELECT 1 FROM @.runs WHERE root_run_id = $1::uuid AND ended_at IS NULL LIMIT $2::integer
  ) AS counted`;

/** The run that the run's family began with; the run itself where that is not known. */
export async function readRoot(query: Query, { runId }: ReadRootRequest): Promise<string> {
  if (!isRunId(runId)) return runId;
  const [columns] = await query(READ_ROOT, [runId]);
  return columns === undefined ? runId : textOf(columns, 'root');
}

export async function countDescendants(
  query: Query,
  { rootRunId, atMost }: CountDescendantsRequest,
): Promise<number> {
  if (!isRunId(rootRunId)) return 0;
  const [columns = {}] = await query(COUNT_DESCENDANTS, [rootRunId, atMost]);
  return numberOf(columns, 'live');
}
