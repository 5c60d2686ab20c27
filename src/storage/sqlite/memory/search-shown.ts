import { after, rangeOf, type WorkflowPatterns } from '../../../engine/ports/access/workflow-patterns.js';
import type { MemoryEntry } from '../../../engine/ports/memory/memory-index.js';
import { termsOfQuery } from '../../../engine/ports/memory/memory-terms.js';
import { rankShown } from '../../../engine/ports/memory/rank-shown.js';
import { termOfWorkflow, termsOfPatterns } from '../../../engine/ports/memory/workflow-terms.js';
import { numberOf, textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import { fillWorkflows } from './fill-workflows.js';
import { matchOf } from './match-words.js';
import type { FoundEntry, SearchTask } from './memory-task.js';
import type { NamespaceWords } from './namespace-words.js';

/** Of each word, and of all words together, so many of the newest entries are candidates. */
const MAX_RANKED = 4_000;
/** More workflows than this are looked for by their patterns: a beginning may stand for any number. */
const MOST_BY_NAME = 100;

const NEXT_WORKFLOW = `
  SELECT workflow_id FROM entries INDEXED BY entries_of_workflow
  WHERE namespace = ? AND workflow_id >= ? AND workflow_id < ? ORDER BY workflow_id LIMIT 1`;
const READ_ENTRY = 'SELECT id, body FROM entries WHERE namespace = ? AND number = ?';
const newestSql = (table: string): string =>
  `SELECT rowid AS number FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ${MAX_RANKED}`;

type Request = Omit<SearchTask, 'kind' | 'workflows'> & { readonly workflows: WorkflowPatterns };

/**
 * The best of the entries that are of workflows that fit. `bm25()` weighs a word by all that its table has, and so would tell of what is
 * hidden: FTS5 finds the candidates here, and they are ranked by themselves. What stands behind the beginning of a word is not
 * bounded as in a large memory for all: which 32 words those are would tell of others.
 */
export function searchShown(
  connection: Connection,
  of: NamespaceWords,
  { namespace, workflows, query, topK }: Request,
): readonly FoundEntry[] {
  const terms = termsOfQuery(query, namespace);
  if (terms.length === 0) return [];
  fillWorkflows(connection);
  const shown = shownMatch(connection, of, { namespace, workflows });
  if (shown === null) return [];
  const numbersWith = (words: string): readonly number[] =>
    connection
      .statement(newestSql(of.table))
      .all(`(${words}) AND (${shown})`)
      .map((columns) => numberOf(columns, 'number'));
  const matches = terms.map(matchOf);
  const having = new Map<number, Set<number>>();
  const note = (number: number, index: number): void => {
    const has = having.get(number);
    if (has === undefined) having.set(number, new Set([index]));
    else has.add(index);
  };
  for (const [index, match] of matches.entries())
    for (const number of numbersWith(match)) note(number, index);
  if (matches.length > 1)
    for (const number of numbersWith(matches.join(' AND ')))
      for (const index of matches.keys()) note(number, index);
  const read = (number: number) => connection.statement(READ_ENTRY).get(of.number, number);
  const ranking = rankShown({
    terms,
    namespace,
    found: new Map([...having].sort(([a], [b]) => b - a)),
    read: (number) => {
      const columns = read(number);
      if (columns === undefined) return null;
      const { content }: Pick<MemoryEntry, 'content'> = JSON.parse(textOf(columns, 'body'));
      return content;
    },
  });
  let step = ranking.next();
  // This thread is the memory's own.
  while (step.done !== true) step = ranking.next();
  return step.value.slice(0, topK).flatMap(({ key, rank }) => {
    const columns = read(key);
    return columns === undefined ? [] : [{ id: textOf(columns, 'id'), body: textOf(columns, 'body'), rank }];
  });
}

/** The expression that finds the entries that are shown; null: there is none. */
function shownMatch(
  connection: Connection,
  { number }: NamespaceWords,
  { namespace, workflows }: Pick<Request, 'namespace' | 'workflows'>,
): string | null {
  const shown = workflowsOf(connection, number, workflows);
  if (shown.length === 0) return null;
  const terms =
    shown.length > MOST_BY_NAME
      ? termsOfPatterns(workflows, namespace)
      : shown.map((id) => ({ text: termOfWorkflow(id, namespace), isPrefix: false }));
  return terms.map(matchOf).join(' OR ');
}

/** The workflows that fit and have entries, up to one more than are looked for by name. */
function workflowsOf(
  connection: Connection,
  namespace: number,
  patterns: WorkflowPatterns,
): readonly string[] {
  const shown: string[] = [];
  for (const { least, beyond } of patterns.map(rangeOf)) {
    for (let from = least; shown.length <= MOST_BY_NAME;) {
      const columns = connection.statement(NEXT_WORKFLOW).get(namespace, from, beyond);
      if (columns === undefined) break;
      const id = textOf(columns, 'workflow_id');
      shown.push(id);
      from = after(id);
    }
  }
  return shown;
}
