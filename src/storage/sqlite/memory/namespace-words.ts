import { termsOfContent } from '../../../engine/ports/memory/memory-terms.js';
import { termOfWorkflow } from '../../../engine/ports/memory/workflow-terms.js';
import { numberOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';

/**
 * The words of one namespace, in a table of their own: FTS5 weighs a word by how many entries its table has and how long they
 * are, and so the scores of one namespace would tell how much another one keeps.
 */
export interface NamespaceWords {
  /** Its rowid is the number of the entry in its namespace. */
  readonly table: string;
  readonly number: number;
  /** The number of the newest entry. */
  readonly newest: number;
}

const READ = 'SELECT number, newest FROM namespaces WHERE namespace = ?';
const ADD = 'INSERT INTO namespaces (namespace, newest) VALUES (?, 0)';
const NEXT = 'UPDATE namespaces SET newest = newest + 1 WHERE namespace = ? RETURNING number, newest';
const ALL = 'SELECT number FROM namespaces';

/**
 * Its content are the terms, with blanks between them. To the tokenizer every letter beyond ASCII is part of a word, so that it
 * takes our terms as they are.
 */
const createSql = (number: number): string => `
  CREATE VIRTUAL TABLE ${tableOf(number)} USING fts5 (
    content, content = '', contentless_delete = 1, tokenize = 'ascii'
  )`;

export const tableOf = (number: number): string => `words_${number}`;

/** Null: nothing was ever put into the namespace. */
export function wordsIn(connection: Connection, namespace: string): NamespaceWords | null {
  const columns = connection.statement(READ).get(namespace);
  if (columns === undefined) return null;
  const number = numberOf(columns, 'number');
  return { table: tableOf(number), number, newest: numberOf(columns, 'newest') };
}

/** The same with one entry more, whose number is `newest`; within a transaction. */
export function oneMoreIn(connection: Connection, namespace: string): NamespaceWords {
  let columns = connection.statement(NEXT).get(namespace);
  if (columns === undefined) {
    const { lastInsertRowid } = connection.statement(ADD).run(namespace);
    connection.execute(createSql(Number(lastInsertRowid)));
    columns = connection.statement(NEXT).get(namespace) ?? {};
  }
  const number = numberOf(columns, 'number');
  return { table: tableOf(number), number, newest: numberOf(columns, 'newest') };
}

/** The tables of all namespaces. */
export function allTables(connection: Connection): readonly string[] {
  return connection
    .statement(ALL)
    .all()
    .map((columns) => tableOf(numberOf(columns, 'number')));
}

type Place = Pick<NamespaceWords, 'table' | 'number'>;

/** Next to its words an entry is found by its workflow. `number`: that of the entry in its namespace. */
export function insertWords(
  connection: Connection,
  { table, number }: Place,
  of: { readonly namespace: string; readonly workflowId: string; readonly content: string },
): void {
  const terms = [...termsOfContent(of.content, of.namespace), termOfWorkflow(of.workflowId, of.namespace)];
  connection.statement(`INSERT INTO ${table} (rowid, content) VALUES (?, ?)`).run(number, terms.join(' '));
}

export function deleteWords(connection: Connection, { table, number }: Place): void {
  connection.statement(`DELETE FROM ${table} WHERE rowid = ?`).run(number);
}
