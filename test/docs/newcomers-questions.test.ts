import { readPage } from './support/page-blocks.js';
import { faultOf, proseOf, targetOf } from './support/page-links.js';

const LINK = /\]\(([^)\s]+)\)/g;
const PAGE = 'docs/questions.md';

const linksOf = (page: string, text: string): readonly string[] =>
  [...text.matchAll(LINK)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => targetOf(page, link));

const questions = [...proseOf(PAGE).matchAll(/^\d+\. \*\*(.+?)\*\*([^]*?)(?=^\d+\. |$(?![^]))/gm)].map(
  ([, question = '', answer = '']) => ({ question, answer, places: linksOf(PAGE, answer) }),
);

/** What somebody reaches from README by one link, and by two: a page, whatever the place on it. */
const pageOf = (place: string): string => place.split('#')[0] ?? '';
const byOne = new Set(linksOf('README.md', proseOf('README.md')).map(pageOf));
const byTwo = new Set([
  ...byOne,
  ...[...byOne]
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => linksOf(page, proseOf(page)).map(pageOf)),
]);

describe('the questions of newcomers', () => {
  it('are ten, and each is one', () => {
    expect(questions).toHaveLength(10);
    expect(questions.filter(({ question }) => !question.endsWith('?'))).toEqual([]);
  });

  it('stand on a page that README leads to', () => {
    expect(byOne.has(PAGE)).toBe(true);
  });

  it.each(questions)(
    '$question is answered in a sentence, and at a place that there is',
    ({ answer, places }) => {
      expect(answer.replaceAll(/\[[^\]]*\]\([^)]*\)/g, '').trim().length).toBeGreaterThan(15);
      expect(places.length).toBeGreaterThan(0);
      expect(places.map(faultOf).filter((fault) => fault !== null)).toEqual([]);
    },
  );

  it.each(questions)('$question is answered within two links of README', ({ places }) => {
    expect(places.map(pageOf).filter((page) => !byTwo.has(page))).toEqual([]);
  });
});

it('README is short enough to be read', () => {
  expect(readPage('README.md').trimEnd().split('\n').length).toBeLessThan(150);
});

it('README gives figures of the benchmarks, as they were measured last', () => {
  const figures = /What it costs[^]*?\n\n/.exec(readPage('README.md'))?.[0].match(/[\d.]+×/g) ?? [];
  const measured = readPage('docs/benchmarks.md');
  expect(figures.length).toBeGreaterThan(3);
  expect(figures.filter((figure) => !measured.includes(`| ${figure}`))).toEqual([]);
});
