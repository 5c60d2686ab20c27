import fc from 'fast-check';
import { rankShown } from './rank-shown.js';
import { termsOfContent, termsOfQuery } from './memory-terms.js';

/** The ids of entries, given newest first, as a search for the query ranks them. */
function ranked(query: string, contents: Readonly<Record<string, string>>): readonly string[] {
  const terms = termsOfQuery(query, 'default');
  const found = new Map<string, ReadonlySet<number>>();
  for (const [key, content] of Object.entries(contents)) {
    const words = termsOfContent(content, 'default');
    const has = terms.flatMap(({ text, isPrefix }, index) =>
      words.some((word) => (isPrefix ? word.startsWith(text) : word === text)) ? [index] : [],
    );
    if (has.length > 0) found.set(key, new Set(has));
  }
  const ranking = rankShown({ terms, namespace: 'default', found, read: (key) => contents[key] ?? null });
  let step = ranking.next();
  while (step.done !== true) step = ranking.next();
  return step.value.map(({ key }) => key);
}

it('has first who has the rarer word, has it more often, or says less besides', () => {
  const few = { a: 'common', b: 'common', c: 'common rare', d: 'common' };
  expect(ranked('common rare', few)[0]).toBe('c');
  expect(ranked('pelican', { once: 'a pelican and a crane', often: 'pelican by pelican here' })).toEqual([
    'often',
    'once',
  ]);
  expect(ranked('pelican', { long: `pelican ${'word '.repeat(50)}`, short: 'a pelican' })).toEqual([
    'short',
    'long',
  ]);
});

it('has the newest first of those that say the same', () => {
  expect(ranked('pelican', { newest: 'a pelican', older: 'a pelican', oldest: 'a pelican' })).toEqual([
    'newest',
    'older',
    'oldest',
  ]);
});

it('leaves out what is gone meanwhile', () => {
  const found = new Map([['gone', new Set([0])]]);
  const terms = termsOfQuery('pelican', 'default');
  const ranking = rankShown({ terms, namespace: 'default', found, read: () => null });
  expect(ranking.next()).toEqual({ done: true, value: [] });
});

it('ranks all that is found, each once, above 0', () => {
  const content = fc.array(fc.constantFrom('pelican', 'crane', 'heron', 'word'), {
    minLength: 1,
    maxLength: 9,
  });
  fc.assert(
    fc.property(fc.array(content, { maxLength: 20 }), (all) => {
      const contents = Object.fromEntries(all.map((words, index) => [`e${index}`, words.join(' ')]));
      const having = Object.keys(contents).filter((key) => /pelican|crane/.test(contents[key] ?? ''));
      expect([...ranked('pelican crane', contents)].sort()).toEqual(having.sort());
    }),
  );
});
