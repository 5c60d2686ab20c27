import type { MemoryEntry } from '../../../engine/ports/memory/memory-index.js';
import { MAX_CONTENT_CHARS, namespaceOf } from '../../../engine/ports/memory/memory-terms.js';
import { workflowOf } from '../../../engine/ports/memory/workflow-terms.js';
import { numberOf, textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import { deleteWords, insertWords, tableOf } from './namespace-words.js';

const MOST_AT_ONCE = 500;

const WITHOUT = `
  SELECT entry, namespace, number, body FROM entries INDEXED BY entries_without_workflow
  WHERE workflow_id IS NULL ORDER BY entry DESC LIMIT ${MOST_AT_ONCE}`;
const FILL = 'UPDATE entries SET workflow_id = ? WHERE entry = ?';

/**
 * Says of some entries that an earlier version has put which workflow they are of, the newest first; until then they are shown to those
 * alone who are shown all. It is done by the searches that need it, and costs the others nothing.
 */
export function fillWorkflows(connection: Connection): void {
  const rows = connection.statement(WITHOUT).all();
  if (rows.length === 0) return;
  connection.transaction(() => {
    for (const columns of rows) {
      const { content, metadata }: Pick<MemoryEntry, 'content' | 'metadata'> = JSON.parse(
        textOf(columns, 'body'),
      );
      const place = { table: tableOf(numberOf(columns, 'namespace')), number: numberOf(columns, 'number') };
      const workflowId = workflowOf(metadata);
      deleteWords(connection, place);
      insertWords(connection, place, {
        namespace: namespaceOf(metadata),
        workflowId,
        content: content.slice(0, MAX_CONTENT_CHARS),
      });
      connection.statement(FILL).run(workflowId, numberOf(columns, 'entry'));
    }
  });
}
