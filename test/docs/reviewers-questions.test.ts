import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage, sectionOf } from './support/page-blocks.js';

const PAGE = 'ARCHITECTURE.md';
const page = readPage(PAGE);
const section = sectionOf(page, '## Ten questions of reviewers');

/** A path, and behind it in brackets what is to be looked at in that file. */
const PLACE = /`(src\/[\w./-]+)`(?:\s+\(((?:`\w+`(?:,\s+)?)+)\))?/g;

const lineAt = (index: number): number => page.slice(0, index).split('\n').length;

const answers = [...section.matchAll(/^### (.*)\n([^]*?)(?=\n### |$(?![^]))/gm)].map(
  ({ 0: all, 1: question = '', 2: text = '', index }) => {
    const start = page.indexOf(section) + index;
    const textStart = start + all.length - text.length;
    const places = [...text.matchAll(PLACE)].map(({ 1: path = '', 2: names = '', index: inText }) => ({
      at: `${PAGE}:${lineAt(textStart + inText)}`,
      path,
      names: [...names.matchAll(/\w+/g)].map(([name]) => name),
    }));
    return { at: `${PAGE}:${lineAt(start)}`, question, places };
  },
);
const places = answers.flatMap(({ places: named }) => named);

describe('the questions of reviewers', () => {
  it('are ten, and each is one', () => {
    expect(answers).toHaveLength(10);
    expect(answers.filter(({ question }) => !question.endsWith('?'))).toEqual([]);
  });

  it('are each answered with a file', () => {
    const without = answers.filter(({ places: named }) => named.length === 0);
    expect(without.map(({ at, question }) => `${at}: "${question}" leads nowhere`)).toEqual([]);
  });

  it('lead to files that there are', () => {
    const gone = places.filter(({ path }) => !existsSync(path));
    expect(gone.map(({ at, path }) => `${at}: there is no ${path}`)).toEqual([]);
  });

  it('say what to look at in each file, which stands there', () => {
    const wrong = places.flatMap(({ at, path, names }) => {
      if (names.length === 0) return [`${at}: what to look at in ${path} is not said`];
      if (!existsSync(path)) return [];
      const source = readFileSync(path, 'utf8');
      return names
        .filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
        .map((name) => `${at}: ${path} has no "${name}"`);
    });
    expect(wrong).toEqual([]);
  });
});

describe('who may write the log', () => {
  it('is answered in full: no other file of the engine stamps an event', () => {
    const stamping = readdirSync('src/engine', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing/'))
      .filter((file) => /(?<!function )\bstampEvent\(/.test(readFileSync(join('src/engine', file), 'utf8')));
    expect(stamping.toSorted()).toEqual(['core/turn/outside-turns.ts', 'core/turn/turn.ts']);
  });
});
