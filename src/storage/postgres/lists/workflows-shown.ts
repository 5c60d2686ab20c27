import { rangeOf, type WorkflowPatterns } from '../../../engine/ports/access/workflow-patterns.js';
import { textOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { escaped } from '../database/escaped.js';

type Table = 'runs' | 'open_gates' | 'decided_gates' | 'memory_entries';

export interface WorkflowsShown {
  readonly table: Table;
  readonly namespace: string;
  readonly patterns: WorkflowPatterns;
  /** Null: however many. */
  readonly most: number | null;
}

/**
 * Steps from one workflow to the next along the index that begins with them, within the ranges that `$2` and `$3` begin and end,
 * however many rows each has. `$4`: how many at most.
 */
function shownSql(table: Table): string {
  const next = (condition: string): string => `(
      SELECT one.workflow_id FROM @.${table} AS one
      WHERE one.namespace = $1::text AND ${condition} ORDER BY one.namespace, one.workflow_id LIMIT 1)`;
  return `
    WITH RECURSIVE shown (workflow_id, beyond) AS (
      SELECT ${next('one.workflow_id >= p.least COLLATE "C" AND one.workflow_id < p.beyond COLLATE "C"')}, p.beyond COLLATE "C"
      FROM unnest($2::text[], $3::text[]) AS p (least, beyond)
      UNION ALL
      SELECT ${next('one.workflow_id > s.workflow_id AND one.workflow_id < s.beyond')}, s.beyond
      FROM shown AS s WHERE s.workflow_id IS NOT NULL
    )
    SELECT s.workflow_id FROM shown AS s WHERE s.workflow_id IS NOT NULL LIMIT $4::integer`;
}

const SHOWN: Readonly<Record<Table, string>> = {
  runs: shownSql('runs'),
  open_gates: shownSql('open_gates'),
  decided_gates: shownSql('decided_gates'),
  memory_entries: shownSql('memory_entries'),
};

/** The workflows that fit and have rows in the table, as they are stored; null: there are more than `most`. */
export async function workflowsShown(
  query: Query,
  { table, namespace, patterns, most }: WorkflowsShown,
): Promise<readonly string[] | null> {
  const rows = await query(SHOWN[table], [
    escaped(namespace),
    ...rangesOf(patterns),
    most === null ? null : most + 1,
  ]);
  if (most !== null && rows.length > most) return null;
  return rows.map((columns) => textOf(columns, 'workflow_id'));
}

/** Where the ranges of the patterns begin, and where they end, as two values of a statement. */
export function rangesOf(
  patterns: WorkflowPatterns,
): readonly [least: readonly string[], beyond: readonly string[]] {
  const ranges = patterns.map((pattern) => rangeOf(escaped(pattern)));
  return [ranges.map(({ least }) => least), ranges.map(({ beyond }) => beyond)];
}
