import { numberOf, textOf, type Columns } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import { termsOfQuery } from '../../../engine/ports/memory/memory-terms.js';
import { matchWords } from './match-words.js';
import type { FoundEntry, IndexedEntry, SearchTask } from './memory-task.js';
import { deleteWords, insertWords, oneMoreIn, tableOf, wordsIn } from './namespace-words.js';
import { searchShown } from './search-shown.js';

/**
 * Ranking reads every candidate, and a common word has as many as there are entries: only the newest so many with all
 * words, and the newest so many with any of them, are ranked. In a large memory common words count only where a query
 * has no others (see `match-words.ts`).
 */
const MAX_RANKED = 4_000;

const FIND_ID = 'SELECT entry, namespace, number FROM entries WHERE id = ?';
const FIND_RUN = 'SELECT entry, namespace, number FROM entries WHERE run_id = ?';
const DELETE_ENTRY = 'DELETE FROM entries WHERE entry = ?';
const INSERT_ENTRY =
  'INSERT INTO entries (id, run_id, namespace, number, body, workflow_id) VALUES (?, ?, ?, ?, ?, ?)';

/** bm25() is negative, and less is better. */
const rankSql = (table: string): string => `
  SELECT number, rank FROM (
    SELECT rowid AS number, bm25(${table}) AS rank FROM ${table} WHERE ${table} MATCH ?
    ORDER BY rowid DESC LIMIT ${MAX_RANKED}
  ) ORDER BY rank, number DESC LIMIT ?`;

const newestSql = (table: string): string =>
  `SELECT rowid AS number FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ?`;

const READ_ENTRY = 'SELECT id, body FROM entries WHERE namespace = ? AND number = ?';

type Ranked = readonly [number: number, rank: number];

export function putEntries(connection: Connection, entries: readonly IndexedEntry[]): void {
  connection.transaction(() => {
    for (const { id, runId, namespace, workflowId, content, body } of entries) {
      const known = connection.statement(FIND_ID).get(id);
      if (known !== undefined) deleteEntry(connection, known);
      const { table, number: of, newest } = oneMoreIn(connection, namespace);
      connection.statement(INSERT_ENTRY).run(id, runId, of, newest, body, workflowId);
      insertWords(connection, { table, number: newest }, { namespace, workflowId, content });
    }
  });
}

export function removeRuns(connection: Connection, runIds: readonly string[]): void {
  connection.transaction(() => {
    for (const runId of runIds) {
      for (const columns of connection.statement(FIND_RUN).all(runId)) deleteEntry(connection, columns);
    }
  });
}

export function search(
  connection: Connection,
  { namespace, workflows, query, topK }: SearchTask,
): readonly FoundEntry[] {
  const of = wordsIn(connection, namespace);
  if (of === null) return [];
  if (workflows !== null) return searchShown(connection, of, { namespace, workflows, query, topK });
  const words = matchWords(connection, of, termsOfQuery(query, namespace));
  if (words.length === 0) return [];
  const telling = words.filter(({ isCommon }) => !isCommon);
  const found = telling.length === 0 ? newestWith : rankedWith;
  const matches = (telling.length === 0 ? words : telling).map(({ match }) => match);
  const ranks = new Map<number, number>();
  for (const expression of new Set([matches.join(' AND '), matches.join(' OR ')])) {
    for (const [number, rank] of found(connection, of.table, expression, topK)) {
      if (!ranks.has(number)) ranks.set(number, rank);
    }
  }
  return [...ranks]
    .sort(([numberA, rankA], [numberB, rankB]) => rankB - rankA || numberB - numberA)
    .slice(0, topK)
    .flatMap(([number, rank]) => {
      const columns = connection.statement(READ_ENTRY).get(of.number, number);
      return columns === undefined
        ? []
        : [{ id: textOf(columns, 'id'), body: textOf(columns, 'body'), rank }];
    });
}

function rankedWith(
  connection: Connection,
  table: string,
  expression: string,
  topK: number,
): readonly Ranked[] {
  const rows = connection.statement(rankSql(table)).all(expression, topK);
  return rows.map((columns) => [numberOf(columns, 'number'), -numberOf(columns, 'rank')]);
}

/** Where every word is a common one, the newest are the best: a word that so many entries have does not rank them. */
function newestWith(
  connection: Connection,
  table: string,
  expression: string,
  topK: number,
): readonly Ranked[] {
  const rank = expression.includes(' AND ') ? 1 : 0.5;
  return connection
    .statement(newestSql(table))
    .all(expression, topK)
    .map((columns) => [numberOf(columns, 'number'), rank]);
}

function deleteEntry(connection: Connection, found: Columns): void {
  const table = tableOf(numberOf(found, 'namespace'));
  deleteWords(connection, { table, number: numberOf(found, 'number') });
  connection.statement(DELETE_ENTRY).run(numberOf(found, 'entry'));
}
