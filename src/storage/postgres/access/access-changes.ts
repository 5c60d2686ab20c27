import type { AuditAct } from '../../../engine/ports/audit/audit-act.js';
import { recordAct } from '../audit/record-acts.js';
import { numberOf } from '../database/columns.js';
import type { Database, Query } from '../database/database.js';
import { soleWriterOf } from '../database/sole-writer.js';

/**
 * Changes go one after the other over all replicas: what limits and cascades are decided by is then what they are carried out on.
 * Whoever reads is not held up.
 */
export const LOCK_KEYS = soleWriterOf('access_keys');

const READ = 'SELECT counter FROM @.access_changes WHERE is_only';
const MOVE = `
  INSERT INTO @.access_changes AS changes (is_only, counter) VALUES (true, 1)
  ON CONFLICT (is_only) DO UPDATE SET counter = changes.counter + 1`;

export async function readAccessCounter(query: Query): Promise<number> {
  const [columns] = await query(READ);
  return columns === undefined ? 0 : numberOf(columns, 'counter');
}

/**
 * One change, in a transaction with the counter that tells of it, and with what the audit does. `hasChanged`: whether the result
 * says that there was one.
 */
export function changeAccess<Result>(
  database: Database,
  change: (query: Query) => Promise<Result>,
  hasChanged: (result: Result) => boolean,
  audit: AuditAct | null | undefined,
): Promise<Result> {
  return database.transaction(async (query) => {
    await query(LOCK_KEYS);
    const result = await change(query);
    if (hasChanged(result)) {
      await query(MOVE);
      await recordAct(query, audit);
    }
    return result;
  });
}
