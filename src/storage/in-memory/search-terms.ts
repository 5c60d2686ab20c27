/** A search looks at no more of its query than this. */
const MAX_QUERY_CHARS = 4_096;
const MAX_QUERY_TERMS = 64;

/** Words longer than this (encoded data, mostly) are told apart by their beginning only. */
const MAX_TERM_CHARS = 64;

/** The words of a text: runs of letters and digits of any script. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** One spelling for all of a word's: lower case, no accents. */
export function normalTerm(word: string): string {
  return word.slice(0, MAX_TERM_CHARS).toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
}

/** What a query asks for; empty when it has no word. */
export function termsOfQuery(query: string): readonly string[] {
  const terms = wordsOf(query.slice(0, MAX_QUERY_CHARS)).map(normalTerm);
  return [...new Set(terms)].filter((term) => term !== '').slice(0, MAX_QUERY_TERMS);
}
