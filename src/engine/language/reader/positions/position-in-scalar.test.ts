import * as fc from 'fast-check';
import { isMap, isScalar, parseDocument, type Scalar, stringify } from 'yaml';
import { positionInScalar } from './position-in-scalar.js';
import { lawCases } from '../../../../../test/support/law-cases.js';

function scalarIn(source: string): Scalar {
  const { contents } = parseDocument(source);
  const value = isMap(contents) ? contents.items[0]?.value : undefined;
  if (!isScalar(value)) throw new Error(`no scalar in ${source}`);
  return value;
}

/** What stands in the source where the text has `needle`. */
function found(source: string, needle: string): string | null {
  const scalar = scalarIn(source);
  const text = scalar.value as string;
  const at = positionInScalar(source, scalar, text, text.indexOf(needle));
  return at === null ? null : source.slice(at).split('\n')[0]!;
}

describe('the source position of a character of a text', () => {
  it.each([
    ['plain', 'a: one two', 'two'],
    ['plain over several lines', 'a: one\n  two\n\n  three two', 'three two'],
    ['in single quotes', "a: 'it''s one two'", "two'"],
    ['in double quotes', 'a: "x\\ty \\u00e9\\U0001F600 \\"two"', 'two"'],
    ['in double quotes over several lines', 'a: "one \\\n   more\n  and two"', 'two"'],
    ['a literal block', 'a: |\n  one\n\n    two\n', 'two'],
    ['a literal block with its own indentation', 'a: |2-\n    one\n   two\n', 'two'],
    ['a folded block', 'a: >- # a comment\n  one\n  two\n', 'two'],
    ['a block with Windows line ends', 'a: |\r\n  one\r\n  two\r\n', 'two\r'],
  ])('%s', (_style, source, rest) => {
    expect(found(source, rest.includes('three') ? 'three' : 'two')).toBe(rest);
  });

  it('at the end is after the last character', () => {
    const source = 'a: "one two"';
    expect(positionInScalar(source, scalarIn(source), 'one two', 7)).toBe(11);
    expect(positionInScalar('a: |\n  x +\n', scalarIn('a: |\n  x +\n'), 'x +\n', 4)).toBe(10);
  });

  it('is found in whatever way a text is written', () => {
    const piece = fc.constantFrom(
      'a',
      'é',
      '😀',
      ' ',
      '  ',
      '\n',
      '\n\n',
      "'",
      '"',
      '\\',
      '\t',
      ': ',
      '#',
      '\u00A0',
      '\u0007',
    );
    const styles = fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.array(piece, { maxLength: 30 }),
        styles,
        (before, after, style) => {
          const text = `${before.join('')}§${after.join('')}`;
          const source = stringify({ a: text }, { defaultStringType: style as 'PLAIN', lineWidth: 20 });
          const scalar = scalarIn(source);
          fc.pre(scalar.value === text);
          const at = positionInScalar(source, scalar, text, text.indexOf('§'));
          expect(source.charAt(at ?? 0)).toBe('§');
        },
      ),
      { numRuns: lawCases(2_000) },
    );
  });
});
