import { termsOfContent, termsOfQuery } from './memory-terms.js';

describe('the terms of a text', () => {
  it.each([
    ['words in one spelling', 'Größe, CAFÉ! İstanbul', ['große', 'cafe', 'istanbul']],
    ['compatible letters as one', 'ﬁn ½ Ａ１', ['fin', '1', '2', 'a1']],
    ['pairs of neighbours, and the last character alone', '東京都', ['東京', '京都', '都']],
    ['a single character', '東', ['東']],
    ['syllables and voiced kana whole', '한국 ｶﾞギ', ['한국', '국', 'ガギ', 'ギ']],
    ['scripts side by side', 'abc東x', ['abc', '東', 'x']],
    ['characters beyond the first plane', '𠀀𠀁', ['𠀀𠀁', '𠀁']],
    ['punctuation as the end of a run', '東。京、', ['東', '京']],
    ['no more than the beginning of a long word', 'x'.repeat(100), ['x'.repeat(64)]],
    ['nothing', ' \n"*()\u0000\ud83d\u0301', []],
  ])('are %s', (_what, content, terms) => {
    expect(termsOfContent(content, 'default')).toEqual(terms);
  });

  it('are the same for ASCII by the short way and the long one', () => {
    const text = 'The "invoice" #4711-a_b of ACME';
    const [, ...rest] = termsOfContent(`é ${text}`, 'default');
    expect(termsOfContent(text, 'default')).toEqual(rest);
  });

  it('are those of a bounded part of it', () => {
    expect(termsOfContent('x '.repeat(100_000), 'default')).toHaveLength(32_768);
    expect(termsOfContent(`${'  '.repeat(40_000)}word`, 'default')).toEqual([]);
  });

  it('hold letters, digits and marks only, apart from the sign of a namespace', () => {
    const terms = termsOfContent('a"b*c OR d; DROP 東京 "น้ำใจ" \uE000acme\uE000x', 'default');
    for (const term of terms) expect(term).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
  });
});

describe('the terms of a query', () => {
  it('find the beginning of a word from three letters on, pairs as they are, and a single character', () => {
    expect(termsOfQuery('ab abc 東京都 東', 'default')).toEqual([
      { text: 'ab', isPrefix: false },
      { text: 'abc', isPrefix: true },
      { text: '東京', isPrefix: false },
      { text: '京都', isPrefix: false },
      { text: '東', isPrefix: true },
    ]);
  });

  it('are each looked for once, and at most 32', () => {
    expect(termsOfQuery('one ONE òne', 'default')).toHaveLength(1);
    expect(
      termsOfQuery(Array.from({ length: 99 }, (_, index) => `w${index}`).join(' '), 'default'),
    ).toHaveLength(32);
    expect(termsOfQuery('東京都庁'.repeat(999), 'default').length).toBeLessThanOrEqual(32);
  });

  it.each(['default', 'acme', 'a-b'])('are terms of the same content in the namespace %s', (namespace) => {
    const text = 'Invoice 東京都 für café';
    const content = new Set(termsOfContent(text, namespace));
    for (const { text: term } of termsOfQuery(text, namespace)) expect(content).toContain(term);
  });

  it('never begin a term of another namespace', () => {
    const namespaces = ['default', 'a', 'ab', 'a-b', 'a--b', 'b'];
    const text = 'a ab b aab 61 6162 東京';
    for (const asked of namespaces) {
      for (const other of namespaces.filter((name) => name !== asked)) {
        const content = termsOfContent(text, other);
        for (const query of termsOfQuery(text, asked)) {
          expect(content.filter((term) => term.startsWith(query.text))).toEqual([]);
        }
      }
    }
  });
});
