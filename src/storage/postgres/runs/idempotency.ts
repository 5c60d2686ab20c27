import type { IdempotencyRecord } from '../../../engine/ports/store/append.js';
import type { RunLog } from '../../../engine/ports/store/run-log.js';
import { textOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { escaped, unescaped } from '../database/escaped.js';

export type ReadIdempotencyRequest = Parameters<RunLog['readIdempotency']>[0];

const READ = 'SELECT fingerprint, run_id FROM @.idempotency WHERE scope = $1::text AND key = $2::text';

export async function readIdempotency(
  query: Query,
  { scope, key }: ReadIdempotencyRequest,
): Promise<IdempotencyRecord | null> {
  const [columns] = await query(READ, [escaped(scope), escaped(key)]);
  if (columns === undefined) return null;
  const fingerprint = unescaped(textOf(columns, 'fingerprint'));
  return { scope, key, fingerprint, runId: textOf(columns, 'run_id') };
}
