import { wordQuery, wordsOf } from './word-texts.js';

describe('the words of an entry', () => {
  it.each([
    ['each once, with how often it occurs', 'Rain, rain and snow', `'rain':1,2 'and':1 'snow':1`, 4],
    ['up to eight times', 'a '.repeat(20), `'a':1,2,3,4,5,6,7,8`, 20],
    ['nothing', '"*(-)\0', '', 0],
  ])('are written %s', (_what, content, text, terms) => {
    expect(wordsOf(content, 'default')).toEqual({ text, terms });
  });

  it('have their namespace before them', () => {
    expect(wordsOf('Rain', 'acme').text).toBe(`'\uE00061636d65\uE000rain':1`);
  });

  it('are no more than a tsvector holds', () => {
    const content = Array.from({ length: 30_000 }, (_, index) => index.toString(36)).join(' ');
    const { text, terms } = wordsOf(
      content,
      'a-namespace-that-is-as-long-as-one-may-be-at-all-and-no-longer',
    );
    expect(terms).toBeGreaterThan(10_000);
    expect(text.split(' ').length).toBeLessThan(terms);
    expect(Buffer.byteLength(text)).toBeLessThan(1_048_576);
  });
});

describe('a word of a query', () => {
  it('is the word, or the beginning of one', () => {
    expect(wordQuery({ text: 'ab', isPrefix: false })).toBe(`'ab'`);
    expect(wordQuery({ text: 'abc', isPrefix: true })).toBe(`'abc':*`);
  });

  it('never ends its quotation', () => {
    expect(wordQuery({ text: `a'b\\`, isPrefix: true })).toBe(`'a''b\\\\':*`);
  });
});
