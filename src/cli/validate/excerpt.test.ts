import { excerptAt } from './excerpt.js';

describe('the line that a fault stands in', () => {
  it.each([
    ['plain text', 'one\ntwo: x\n', 2, 6, ['    2 | two: x', '      |      ^']],
    ['tabs', 'a:\tb', 1, 4, ['    1 | a: b', '      |    ^']],
    ['wide characters and emoji', '漢字😀: b', 1, 7, ['    1 | 漢字😀: b', '      |         ^']],
    ['accents of their own', 'e\u0301: b', 1, 5, ['    1 | e\u0301: b', '      |    ^']],
    ['Windows line ends', 'a\r\nb: c\r\n', 2, 4, ['    2 | b: c', '      |    ^']],
    ['control characters', 'a\u001B[31mb', 1, 2, ['    1 | a\uFFFD[31mb', '      |  ^']],
    ['a column behind its end', 'ab', 1, 9, ['    1 | ab', '      |   ^']],
  ])('has a caret under the position: %s', (_what, text, line, column, lines) => {
    expect(excerptAt(text, line, column)).toEqual(lines);
  });

  it('is truncated around a position far to the right', () => {
    const text = `${'x'.repeat(5_000)}!${'y'.repeat(5_000)}`;
    const [shown = '', caret = ''] = excerptAt(text, 1, 5_001);
    expect(shown.length).toBeLessThan(200);
    expect(caret.indexOf('^')).toBe(shown.indexOf('!'));
  });

  it('is not shown where it is blank or not there', () => {
    expect(excerptAt('a\n\n', 2, 1)).toEqual([]);
    expect(excerptAt('a', 7, 1)).toEqual([]);
  });
});
