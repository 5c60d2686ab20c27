import { readFileSync } from 'node:fs';
import { rulesWith } from '../../tools/prose/rules.mjs';

const ENTRIES = JSON.parse(readFileSync('tools/prose/words.json', 'utf8')) as {
  readonly forms: readonly string[];
  readonly instead: string;
}[];
const findingsOf = rulesWith(ENTRIES);
const words = (count: number): string => Array.from({ length: count }, (_, nth) => `word${nth}`).join(' ');

describe('a word that another one replaces', () => {
  const saysOf = (text: string) => findingsOf(text).words.map(({ line, says }) => `${line}: ${says}`);

  it('is found in whatever case, with its line and what to write', () => {
    expect(saysOf('# Title\n\nRuns\ncontinue.\n\nIt Goes on.\n')).toEqual(['6: "Goes on": write continue']);
  });

  it.each([
    ['a list', '- one\n- it goes on\n'],
    ['a quotation', '> one\n> and it goes on\n'],
    ['a heading', '## It goes on\n'],
    ['a link', 'See [how it goes on](there.md).\n'],
    ['emphasis', 'It **goes on**.\n'],
    ['two lines of one sentence', 'It goes\non.\n'],
    ['a table', '| a | b |\n| - | - |\n| c | it goes on |\n'],
  ])('is found in %s', (_where, text) => {
    expect(saysOf(text)).toEqual([expect.stringContaining('write continue')]);
  });

  it.each([
    ['code', 'The message is `it goes on`.\n'],
    ['a block of code', '```text\nit goes on\n```\n'],
    ['a comment', 'Text.\n\n<!-- it goes on -->\n'],
    ['what a script writes', 'Text.\n\n<!-- bench:quiet -->\n\nIt goes on.\n\n<!-- /bench:quiet -->\n'],
    ['the address of a link', 'See [there](goes-on/he.md).\n'],
    ['a part of a word', 'The header of the heap, besides her cargo.\n'],
  ])('is none in %s', (_where, text) => {
    expect(saysOf(text)).toEqual([]);
  });

  it('is found with its line after what a script writes', () => {
    const page = '<!-- bench:quiet -->\n\nIt goes on.\n\n<!-- /bench:quiet -->\n\nIt goes on.\n';
    expect(findingsOf(page).words.map(({ line }) => line)).toEqual([7]);
  });

  it('is found in each form that the list has', () => {
    const missed = ENTRIES.flatMap(({ forms }) => forms)
      .filter((form) => !/[(?\\]/.test(form))
      .filter((form) => findingsOf(`One ${form} two.\n`).words.length === 0);
    expect(missed).toEqual([]);
  });

  it('is not what the list says to write instead', () => {
    expect(findingsOf(`${ENTRIES.map(({ instead }) => instead).join('. ')}.\n`).words).toEqual([]);
  });
});

describe('a sentence', () => {
  const longIn = (text: string) => findingsOf(text).sentences.map(({ line }) => line);

  it('has 35 words at the most', () => {
    expect(longIn(`${words(35)}.\n`)).toEqual([]);
    expect(longIn(`Short.\n\n${words(36)}.\n`)).toEqual([3]);
  });

  it('ends at a full stop, a question mark, or with its item or cell', () => {
    expect(longIn(`${words(20)}. And ${words(20)}? \`Code\` ${words(20)}.\n`)).toEqual([]);
    expect(longIn(`(${words(20)}.) And ${words(20)}.\n`)).toEqual([]);
    expect(longIn(`- ${words(20)}\n- ${words(20)}\n`)).toEqual([]);
    expect(longIn(`| a | b |\n| - | - |\n| ${words(20)} | ${words(20)} |\n`)).toEqual([]);
  });

  it('does not end at a colon, a semicolon, a version or an abbreviation', () => {
    expect(longIn(`${words(20)}; ${words(10)}: ${words(10)}.\n`)).toEqual([1]);
    expect(longIn(`${words(20)} 22.13 or newer, e.g. ${words(20)}.\n`)).toEqual([1]);
  });

  it('counts code as one word, however long', () => {
    expect(longIn(`${words(34)} \`${words(30)}\`.\n`)).toEqual([]);
  });
});

describe('a line of a table', () => {
  const row = (length: number) => `| a | ${'b'.repeat(length - 8)} |`;

  it('has 250 characters at the most, code and blanks included', () => {
    const page = `Text.\n\n| a | b |\n| - | - |\n${row(250)}\n${row(251)}\n| a | \`b\`${' '.repeat(300)} |\n`;
    expect(findingsOf(page).tables.map(({ line }) => line)).toEqual([6, 7]);
  });

  it('is none in a block of code', () => {
    expect(findingsOf(`\`\`\`\n${row(300)}\n\`\`\`\n`).tables).toEqual([]);
  });
});
