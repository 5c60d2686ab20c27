import { termsOfContent, type QueryTerm } from '../../../engine/ports/memory/memory-terms.js';

/** The terms of an entry as PostgreSQL takes them. */
export interface EntryWords {
  /** The text of a `tsvector`, which no configuration of text search has a hand in. */
  readonly text: string;
  /** How many terms there are, with repetitions. */
  readonly terms: number;
}

/** A `tsvector` holds a mebibyte of terms and positions. What the rest of a text says is not found. */
const MAX_BYTES = 1_000_000;
const POSITION_BYTES = 2;
/** The count of the positions, and up to one byte before it. */
const POSITIONS_BYTES = 3;
/** A word that occurs more often counts hardly more. */
const MAX_OCCURRENCES = 8;

/** `1,2,3`, by how many there are: where in the text a word is does not matter, only how often. */
const POSITIONS = Array.from({ length: MAX_OCCURRENCES + 1 }, (_, count) =>
  Array.from({ length: count }, (_position, index) => index + 1).join(','),
);

/** `others`: terms that are no words of the text, and count for nothing. */
export function wordsOf(content: string, namespace: string, others: readonly string[] = []): EntryWords {
  const terms = termsOfContent(content, namespace);
  const occurrences = new Map(others.map((term) => [term, 1]));
  for (const term of terms) occurrences.set(term, (occurrences.get(term) ?? 0) + 1);
  const words: string[] = [];
  let bytes = 0;
  for (const [term, count] of occurrences) {
    const counted = Math.min(count, MAX_OCCURRENCES);
    bytes += Buffer.byteLength(term) + POSITIONS_BYTES + counted * POSITION_BYTES;
    if (bytes > MAX_BYTES) break;
    words.push(`${quoted(term)}:${POSITIONS[counted]}`);
  }
  return { text: words.join(' '), terms: terms.length };
}

/** The text of a `tsquery`: entries with the term, or with one that begins with it. */
export function wordQuery({ text, isPrefix }: QueryTerm): string {
  return quoted(text) + (isPrefix ? ':*' : '');
}

/** Terms hold letters and digits only, and a namespace its sign; both of what would end a quotation are doubled all the same. */
function quoted(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
