import { numberOf, textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import type { NamespaceWords } from './namespace-words.js';
import type { QueryTerm } from '../../../engine/ports/memory/memory-terms.js';

/** A word of a query in the form that SQLite searches for. */
export interface MatchWord {
  /** An expression of FTS5. */
  readonly match: string;
  /** Whether so many entries have it that finding out how rare it is would take longer than a search may. */
  readonly isCommon: boolean;
}

/** In a smaller memory every word is cheap: 50,000 entries are ranked in some milliseconds. */
const LARGE_MEMORY = 50_000;
/** A word that more entries have than this is common. FTS5 looks at all of them, each time, to weigh it. */
const COMMON = 50_000;
/** The most longer words that are looked for in addition to the word itself, the first by alphabet. */
const MAX_COMPLETIONS = 31;
/** How many of the newest entries that have a word show how common it is. */
const SAMPLE = 1_000;

const sampledSql = ({ table }: NamespaceWords): string => `
  SELECT rowid AS number FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ${SAMPLE - 1}`;
/** The terms of the table, to find those with a common beginning. */
const createTermsSql = ({ table }: NamespaceWords): string =>
  `CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms_of_${table} USING fts5vocab(main, ${table}, instance)`;
/** Looks for terms from one on, not for those after one: FTS5 would walk over all instances of that one. */
const nextTermSql = ({ table }: NamespaceWords): string =>
  `SELECT term FROM temp.terms_of_${table} WHERE term >= ? AND term < ? LIMIT 1`;

/** Characters that sort before and after every character of a term. */
const [LOWEST, HIGHEST] = ['\u0001', '\u{10FFFF}'];

/**
 * What a large memory does with a query, so that a search costs about the same among a million entries as among
 * fifty thousand:
 *
 * 1. The beginning of a word stands for the words that begin with it, not more than 32 of them; FTS5 itself would put
 *    together the list of all entries that have any of them before it finds the first.
 * 2. A word is common when, going by the newest entries, more than 50,000 have it.
 */
export function matchWords(
  connection: Connection,
  words: NamespaceWords,
  terms: readonly QueryTerm[],
): readonly MatchWord[] {
  if (words.newest <= LARGE_MEMORY) {
    return terms.map((term) => ({ match: matchOf(term), isCommon: false }));
  }
  connection.execute(createTermsSql(words));
  return terms.map(({ text, isPrefix }) => {
    const meant = isPrefix ? completionsOf(connection, words, text) : [text];
    const match = meant.length === 1 ? quoted(meant[0] ?? text) : `(${meant.map(quoted).join(' OR ')})`;
    return { match, isCommon: isCommon(connection, words, match) };
  });
}

/** Returns at most 32 words: the one itself first, whether any entry has it or not. */
function completionsOf(connection: Connection, of: NamespaceWords, text: string): readonly string[] {
  const words = [text];
  const statement = connection.statement(nextTermSql(of));
  for (let last = text; words.length <= MAX_COMPLETIONS;) {
    const found = statement.get(last + LOWEST, text + HIGHEST);
    if (found === undefined) break;
    last = textOf(found, 'term');
    words.push(last);
  }
  return words;
}

function isCommon(connection: Connection, words: NamespaceWords, match: string): boolean {
  const { newest } = words;
  const sampled = connection.statement(sampledSql(words)).get(match);
  if (sampled === undefined) return false;
  return (SAMPLE / (newest - numberOf(sampled, 'number') + 1)) * newest > COMMON;
}

/** The expression that finds entries with the term, or with any that begins with it. */
export function matchOf({ text, isPrefix }: QueryTerm): string {
  return quoted(text) + (isPrefix ? '*' : '');
}

/** Terms hold letters and digits only. */
function quoted(text: string): string {
  return `"${text}"`;
}
