import type { JsonObject } from '../../../engine/core/json.js';
import { namespaceOf } from '../../../engine/ports/memory/memory-terms.js';
import { termOfWorkflow, workflowOf } from '../../../engine/ports/memory/workflow-terms.js';
import { textOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { escaped } from '../database/escaped.js';
import { wordQuery } from './word-texts.js';

const MOST_AT_ONCE = 500;

const WITHOUT = `
  SELECT id, metadata FROM @.memory_entries WHERE workflow_id IS NULL ORDER BY id LIMIT ${MOST_AT_ONCE}`;

const FILL = `
  UPDATE @.memory_entries AS e SET workflow_id = given.workflow_id, words = e.words || given.words::tsvector
  FROM unnest($1::text[], $2::text[], $3::text[]) AS given (id, workflow_id, words)
  WHERE e.id = given.id AND e.workflow_id IS NULL`;

/**
 * Says of some entries that an earlier version has put which workflow they are of; until then they are shown to those alone who are
 * shown all. Whether there may be more. Two replicas that do it at once do it once.
 */
export async function fillWorkflows(query: Query): Promise<boolean> {
  const rows = await query(WITHOUT);
  if (rows.length === 0) return false;
  const ids = rows.map((columns) => textOf(columns, 'id'));
  const metadata = rows.map((columns) => JSON.parse(textOf(columns, 'metadata')) as JsonObject);
  await query(FILL, [
    ids,
    metadata.map((one) => escaped(workflowOf(one))),
    metadata.map((one) =>
      wordQuery({ text: termOfWorkflow(workflowOf(one), namespaceOf(one)), isPrefix: false }),
    ),
  ]);
  return rows.length === MOST_AT_ONCE;
}
