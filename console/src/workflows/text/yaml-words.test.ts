import { yamlPieces } from './yaml-words.js';

const coloured = (line: string) =>
  yamlPieces(line)
    .filter(({ word }) => word !== null)
    .map(({ word, text }) => [word, text]);

describe('a line of YAML', () => {
  it('has keys and values', () => {
    expect(coloured('  amount: 120.5')).toEqual([
      ['key', 'amount'],
      ['number', '120.5'],
    ]);
    expect(coloured('    - { id: "a b", isOn: true } # why')).toEqual([
      ['key', 'id'],
      ['text', '"a b"'],
      ['key', 'isOn'],
      ['constant', 'true'],
      ['comment', '# why'],
    ]);
  });

  it('has expressions, wherever they stand', () => {
    expect(coloured("title: 'Pay ${{ input.amount }}?'")).toEqual([
      ['key', 'title'],
      ['text', "'Pay ${{ input.amount }}?'"],
    ]);
    expect(coloured('title: Pay ${{ input.amount }} back')).toEqual([
      ['key', 'title'],
      ['expression', '${{ input.amount }}'],
    ]);
  });

  it('takes no part of a word for a number, and no colon in an address for a key', () => {
    expect(coloured('- https://flow.test/v1')).toEqual([]);
    expect(coloured('uses: acme.v2')).toEqual([['key', 'uses']]);
  });

  it.each(['a: "b # c', "x: 'it''s' # y", '${{ a', '\t- -1', '": :"', '#'])(
    'keeps every character of %s',
    (line) => {
      expect(
        yamlPieces(line)
          .map(({ text }) => text)
          .join(''),
      ).toBe(line);
    },
  );
});
