/**
 * The terms of content and queries alike: one spelling of each word (lower case, no accents, compatible letters as one), and
 * every two neighbours in scripts that are written without blanks.
 *
 * 1. Terms hold letters and digits only: nothing in them is syntax of a query language.
 * 2. A term of one namespace can never be, or begin, a term of another: those of any but `default` begin with a character
 *    that no text has.
 */
const WORDS = /[\p{L}\p{N}]+/gu;
const ASCII_WORDS = /[a-z0-9]+/g;
const IS_ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}/gu;

/** Chinese, Japanese and Korean; and Thai, Lao and Khmer, whose vowels and tones are marks and must stay. */
const UNSPACED_RUN =
  /([[\p{L}\p{N}\p{M}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]]+)/v;

/** Words longer than this (encoded data, mostly) are told apart by their beginning only. */
const MAX_TERM_CHARS = 64;
/** How much of one entry's text is searchable. */
export const MAX_CONTENT_CHARS = 65_536;
/** A search looks at no more of its query than this. */
const MAX_QUERY_CHARS = 4_096;
/** Each term may touch every entry once: this bounds a search among a million. */
const MAX_QUERY_TERMS = 32;
/** Shorter words begin too many others. */
const MIN_PREFIX_CHARS = 3;

export interface QueryTerm {
  readonly text: string;
  /** Longer terms that begin with it are found too. */
  readonly isPrefix: boolean;
}

/** The terms under which an entry is found, in the order of its text, with repetitions. */
export function termsOfContent(content: string, namespace: string): readonly string[] {
  const terms: string[] = [];
  for (const { words, unspaced } of partsOf(content.slice(0, MAX_CONTENT_CHARS))) {
    for (const word of words) terms.push(word);
    // The last character begins no pair; alone it makes the word's end findable.
    for (const [index, first] of unspaced.entries()) terms.push(first + (unspaced[index + 1] ?? ''));
  }
  const prefix = prefixOf(namespace);
  return prefix === '' ? terms : terms.map((term) => prefix + term);
}

/** A term that is no word of a text, as entries of the namespace have it. */
export function inNamespace(term: string, namespace: string): string {
  return prefixOf(namespace) + term;
}

/** What a query asks for; empty when it has no word. */
export function termsOfQuery(query: string, namespace: string): readonly QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const prefix = prefixOf(namespace);
  const add = (text: string, isPrefix: boolean): void => {
    if (terms.size < MAX_QUERY_TERMS) terms.set(text, { text: prefix + text, isPrefix });
  };
  for (const { words, unspaced } of partsOf(query.slice(0, MAX_QUERY_CHARS))) {
    for (const word of words) add(word, word.length >= MIN_PREFIX_CHARS);
    const [first, second] = unspaced;
    if (first !== undefined && second === undefined) add(first, true);
    for (const [index, last] of unspaced.slice(1).entries()) add((unspaced[index] ?? '') + last, false);
  }
  return [...terms.values()];
}

/** A part of a text: whole words, and then the characters of a run that is written without blanks. */
interface Part {
  readonly words: readonly string[];
  readonly unspaced: readonly string[];
}

function partsOf(text: string): readonly Part[] {
  if (IS_ASCII.test(text)) return [{ words: bounded(text.toLowerCase().match(ASCII_WORDS)), unspaced: [] }];
  // Composed, so that neither a Hangul syllable nor a kana with its voicing mark falls apart.
  const pieces = text.normalize('NFKC').toLowerCase().split(UNSPACED_RUN);
  const parts: Part[] = [];
  for (let index = 0; index < pieces.length; index += 2) {
    parts.push({ words: wordsOf(pieces[index] ?? ''), unspaced: [...(pieces[index + 1] ?? '')] });
  }
  return parts;
}

function wordsOf(text: string): readonly string[] {
  return bounded(text.normalize('NFD').replaceAll(MARKS, '').match(WORDS));
}

function bounded(words: readonly string[] | null): readonly string[] {
  return words?.map((word) => word.slice(0, MAX_TERM_CHARS)) ?? [];
}

/** The namespace of the entry that has this metadata. */
export function namespaceOf(metadata: Readonly<Record<string, unknown>>): string {
  return typeof metadata['namespace'] === 'string' ? metadata['namespace'] : 'default';
}

/** From the private use area: no letter, and for SQLite's tokenizer part of the word. */
const NAMESPACE_SIGN = '\uE000';

function prefixOf(namespace: string): string {
  if (namespace === 'default') return '';
  return `${NAMESPACE_SIGN}${Buffer.from(namespace).toString('hex')}${NAMESPACE_SIGN}`;
}
