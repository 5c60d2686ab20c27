import type { WorkflowPatterns } from '../../../engine/ports/access/workflow-patterns.js';
import { termOfWorkflow, termsOfPatterns } from '../../../engine/ports/memory/workflow-terms.js';
import { numberOf } from '../database/columns.js';
import type { Query, SqlValue } from '../database/database.js';
import { escaped, unescaped } from '../database/escaped.js';
import { rangesOf, workflowsShown } from '../lists/workflows-shown.js';
import { wordQuery } from './word-texts.js';

/** More workflows than this are looked for by their patterns: a beginning may stand for any number. */
const MOST_BY_NAME = 100;
/** The newest entries of several workflows are merged from so many of theirs together, at most. */
const MOST_MERGED = 100_000;
/** Nobody needs to know more exactly how many there are. */
const MOST_COUNTED = 1_000_000;

const COUNT = `
  SELECT count(*) AS count FROM (
    SELECT 1 FROM unnest($2::text[], $3::text[]) AS p (least, beyond) CROSS JOIN LATERAL (
      SELECT 1 FROM @.memory_entries AS e
      WHERE e.namespace = $1::text AND e.workflow_id >= p.least COLLATE "C" AND e.workflow_id < p.beyond COLLATE "C"
      OFFSET 0
    ) AS one LIMIT $4::integer
  ) AS shown`;

/**
 * The newest entries of a namespace (`$1`) that are of some workflows (the array `workflows`), of each so many (`ofEach`), with their
 * words: as a subquery, whose two parameters are named.
 */
export const newestShown = (workflows: string, ofEach: string, most: number): string => `
    SELECT one.number, one.words FROM unnest(${workflows}::text[]) AS w (id) CROSS JOIN LATERAL (
      SELECT e.number, e.words FROM @.memory_entries AS e
      WHERE e.namespace = $1::text AND e.workflow_id = w.id COLLATE "C"
      ORDER BY e.workflow_id DESC, e.number DESC LIMIT ${ofEach}::integer
    ) AS one ORDER BY one.number DESC LIMIT ${most}`;

/** What a scope shows of a namespace. */
export interface ShownEntries {
  /** The text of a `tsquery`: the entries that are shown. */
  readonly words: string;
  /** For `newestShown`: the workflows, and how many of each. */
  newest(most: number): readonly [workflows: SqlValue, ofEach: number];
  /** How many there are, counted up to a bound. */
  count(most?: number): Promise<number>;
}

/** Null: nothing is shown. */
export async function shownEntries(
  query: Query,
  { namespace, workflows: patterns }: { readonly namespace: string; readonly workflows: WorkflowPatterns },
): Promise<ShownEntries | null> {
  const workflows =
    (await workflowsShown(query, { table: 'memory_entries', namespace, patterns, most: null })) ?? [];
  if (workflows.length === 0) return null;
  const terms =
    workflows.length > MOST_BY_NAME
      ? termsOfPatterns(patterns, namespace)
      : workflows.map((id) => ({ text: termOfWorkflow(unescaped(id), namespace), isPrefix: false }));
  return {
    words: terms.map(wordQuery).join(' | '),
    newest: (most) => [workflows, Math.max(1, Math.min(most, Math.floor(MOST_MERGED / workflows.length)))],
    count: async (most = MOST_COUNTED) => {
      const [columns = {}] = await query(COUNT, [escaped(namespace), ...rangesOf(patterns), most]);
      return numberOf(columns, 'count');
    },
  };
}
