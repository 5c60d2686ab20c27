import { textOf } from '../database/columns.js';
import type { Query } from '../database/database.js';

const READ_STATE = 'SELECT state FROM @.states WHERE run_id = $1::uuid AND seq = $2::bigint';

/** The JSON text of the state after event `seq`, however long, or null when newer ones have replaced it. */
export async function readStateText(query: Query, runId: string, seq: number): Promise<string | null> {
  const [columns] = await query(READ_STATE, [runId, seq]);
  return columns === undefined ? null : textOf(columns, 'state');
}
