import type { RunLog } from '../../../engine/ports/store/run-log.js';
import { textOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { unescaped } from '../database/escaped.js';
import { isRunId } from '../lists/run-ids.js';

export type ReadLabelsRequest = Parameters<RunLog['readLabels']>[0];

const READ = 'SELECT name, value FROM @.run_labels WHERE run_id = $1::uuid ORDER BY name';

export async function readLabels(
  query: Query,
  { runId }: ReadLabelsRequest,
): Promise<Readonly<Record<string, string>>> {
  if (!isRunId(runId)) return {};
  const rows = await query(READ, [runId]);
  return Object.fromEntries(
    rows.map((columns) => [unescaped(textOf(columns, 'name')), unescaped(textOf(columns, 'value'))]),
  );
}
