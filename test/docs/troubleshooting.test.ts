import { globSync, readFileSync } from 'node:fs';
import { worded } from '../../src/errors/wording.js';
import { readPage } from './support/page-blocks.js';

const page = readPage('docs/troubleshooting.md');
const messages = [...page.matchAll(/^### `(.+)`$/gm)].map(([, message = '']) => message);

/** All of our sources as one text, in which a message that is put together of several strings stands as it is shown. */
const sources = globSync('{src,clients/typescript/src}/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(file, 'utf8').replaceAll(/['`] \+\s*['`]/g, ''))
  .join('\n')
  // The page has the words of HTTP.
  .replaceAll(/\$\{words\.(\w+)\}/g, (open, name: string) => {
    const word = worded((words) => String(words[name as keyof typeof words]), 'http');
    return word === 'undefined' ? open : word;
  });

/** What a message says wherever it is shown, without what differs. */
const fixedParts = (message: string): readonly string[] =>
  message
    .split('…')
    .map((part) => part.trim())
    .filter((part) => /[a-z]{2}/i.test(part));

describe('a message of the page', () => {
  it.each(messages)('is said by our code: %s', (message) => {
    expect(fixedParts(message).filter((part) => !sources.includes(part))).toEqual([]);
  });

  it('is one of many, and no heading quotes another one twice', () => {
    expect(messages.length).toBeGreaterThan(20);
    expect(new Set(messages).size).toBe(messages.length);
  });

  it('is followed by what to do', () => {
    const empty = page
      .split(/^### /m)
      .filter((section) => section.split('\n').slice(1).join('').trim() === '');
    expect(empty).toEqual([]);
  });
});
