import { printable } from './printable.js';

const PLAIN = /^[\w@%+=:,./-]+$/;

/** A command as one would type it, to be copied: each word is quoted where a shell would take it for something else. */
export function shellWords(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  const text = printable(word);
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
