import { numberOf, textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import { termsOfContent, termsOfQuery } from '../../../engine/ports/memory/memory-terms.js';
import { matchWords } from './match-words.js';
import type { FoundEntry, IndexedEntry, SearchTask } from './memory-task.js';

/**
 * Ranking reads every candidate, and a common word has as many as there are entries: only the newest so many with all
 * words, and the newest so many with any of them, are ranked. In a large memory common words count only where a query
 * has no others (see `match-words.ts`).
 */
const MAX_RANKED = 4_000;

const FIND_ID = 'SELECT entry FROM entries WHERE id = ?';
const FIND_RUN = 'SELECT entry FROM entries WHERE run_id = ?';
const DELETE_ENTRY = 'DELETE FROM entries WHERE entry = ?';
const DELETE_WORDS = 'DELETE FROM words WHERE rowid = ?';
const INSERT_ENTRY = 'INSERT INTO entries (id, run_id, body) VALUES (?, ?, ?)';
const INSERT_WORDS = 'INSERT INTO words (rowid, content) VALUES (?, ?)';

/** bm25() is negative, and less is better. */
const RANK = `
  SELECT entry, rank FROM (
    SELECT rowid AS entry, bm25(words) AS rank FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ${MAX_RANKED}
  ) ORDER BY rank, entry DESC LIMIT ?`;

const NEWEST = 'SELECT rowid AS entry FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?';

const READ_ENTRY = 'SELECT id, body FROM entries WHERE entry = ?';

type Ranked = readonly [entry: number, rank: number];

export function putEntries(connection: Connection, entries: readonly IndexedEntry[]): void {
  connection.transaction(() => {
    for (const { id, runId, namespace, content, body } of entries) {
      const known = connection.statement(FIND_ID).get(id);
      if (known !== undefined) deleteEntry(connection, numberOf(known, 'entry'));
      const { lastInsertRowid } = connection.statement(INSERT_ENTRY).run(id, runId, body);
      connection.statement(INSERT_WORDS).run(lastInsertRowid, termsOfContent(content, namespace).join(' '));
    }
  });
}

export function removeRuns(connection: Connection, runIds: readonly string[]): void {
  connection.transaction(() => {
    for (const runId of runIds) {
      for (const columns of connection.statement(FIND_RUN).all(runId)) {
        deleteEntry(connection, numberOf(columns, 'entry'));
      }
    }
  });
}

export function search(
  connection: Connection,
  { namespace, query, topK }: SearchTask,
): readonly FoundEntry[] {
  const words = matchWords(connection, termsOfQuery(query, namespace));
  if (words.length === 0) return [];
  const telling = words.filter(({ isCommon }) => !isCommon);
  const found = telling.length === 0 ? newestWith : rankedWith;
  const matches = (telling.length === 0 ? words : telling).map(({ match }) => match);
  const ranks = new Map<number, number>();
  for (const expression of new Set([matches.join(' AND '), matches.join(' OR ')])) {
    for (const [entry, rank] of found(connection, expression, topK)) {
      if (!ranks.has(entry)) ranks.set(entry, rank);
    }
  }
  return [...ranks]
    .sort(([entryA, rankA], [entryB, rankB]) => rankB - rankA || entryB - entryA)
    .slice(0, topK)
    .flatMap(([entry, rank]) => {
      const columns = connection.statement(READ_ENTRY).get(entry);
      return columns === undefined
        ? []
        : [{ id: textOf(columns, 'id'), body: textOf(columns, 'body'), rank }];
    });
}

function rankedWith(connection: Connection, expression: string, topK: number): readonly Ranked[] {
  const rows = connection.statement(RANK).all(expression, topK);
  return rows.map((columns) => [numberOf(columns, 'entry'), -numberOf(columns, 'rank')]);
}

/** Where every word is a common one, the newest are the best: a word that so many entries have does not rank them. */
function newestWith(connection: Connection, expression: string, topK: number): readonly Ranked[] {
  const rank = expression.includes(' AND ') ? 1 : 0.5;
  return connection
    .statement(NEWEST)
    .all(expression, topK)
    .map((columns) => [numberOf(columns, 'entry'), rank]);
}

function deleteEntry(connection: Connection, entry: number): void {
  connection.statement(DELETE_WORDS).run(entry);
  connection.statement(DELETE_ENTRY).run(entry);
}
