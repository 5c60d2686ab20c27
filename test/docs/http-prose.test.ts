import { Buffer } from 'node:buffer';
import { pages } from './support/http-page.js';
import { readPage } from './support/page-blocks.js';
import { proseOf } from './support/page-links.js';

/** What the reference takes; whoever makes it longer raises this, and says why. */
const MOST_BYTES = 118_000;
const MOST_WORDS = 35;
const MOST_CHARACTERS_OF_A_ROW = 250;

const names = ['docs/http.md', ...pages.map(({ name }) => name)];

/** A page without what is read as one word, or not at all: code, addresses of links, anchors, comments. */
const readable = (page: string): string =>
  proseOf(page)
    .replaceAll(/<!--[^]*?-->|<a id="[^"]*"><\/a>/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/(`+)[^\n]*?\1/g, 'code');

const wordsIn = (sentence: string): number => sentence.match(/[\p{L}\p{N}’'-]+/gu)?.length ?? 0;

describe('the reference of the HTTP interface', () => {
  it('grows no longer than it was made', () => {
    const bytes = names.map((name) => Buffer.byteLength(readPage(name)));
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MOST_BYTES);
  });

  it.each(names)('says nothing in %s in a sentence of more than 35 words', (name) => {
    const cells = readable(name).split(/\n|(?<!\\)\|/);
    const sentences = cells.flatMap((cell) => cell.split(/(?<=[.!?:])\s+(?=\p{Lu}|code)/u));
    expect(sentences.length).toBeGreaterThan(10);
    expect(sentences.filter((sentence) => wordsIn(sentence) > MOST_WORDS)).toEqual([]);
  });

  it.each(names)('has no row of a table in %s that is longer than 250 characters', (name) => {
    const rows = proseOf(name)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter((row) => row.length > MOST_CHARACTERS_OF_A_ROW)).toEqual([]);
  });
});
