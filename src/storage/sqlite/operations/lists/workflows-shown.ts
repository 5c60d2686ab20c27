import { after, rangeOf, type WorkflowPatterns } from '../../../../engine/ports/access/workflow-patterns.js';
import { textOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';

/** Steps from one workflow to the next, however many rows each has. */
const nextSql = (table: string): string => `
  SELECT workflow_id FROM ${table} INDEXED BY ${table}_of_workflow
  WHERE namespace = ? AND workflow_id >= ? AND workflow_id < ? ORDER BY workflow_id LIMIT 1`;

/** The workflows that fit and have rows in the table; null: there are more than `most`, which is null for any number. */
export function workflowsShown(
  connection: Connection,
  table: 'runs' | 'open_gates' | 'decided_gates',
  asked: { readonly namespace: string; readonly patterns: WorkflowPatterns; readonly most: number | null },
): readonly string[] | null {
  const { namespace, patterns, most } = asked;
  const next = connection.statement(nextSql(table));
  const shown: string[] = [];
  for (const { least, beyond } of patterns.map(rangeOf)) {
    for (let from = least; ;) {
      const columns = next.get(namespace, from, beyond);
      if (columns === undefined) break;
      if (shown.length === most) return null;
      const workflowId = textOf(columns, 'workflow_id');
      shown.push(workflowId);
      from = after(workflowId);
    }
  }
  return shown;
}
