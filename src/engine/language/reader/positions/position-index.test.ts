import { type Alias, type Node, isAlias, parseDocument as parseYaml, visit } from 'yaml';
import { PositionIndex } from './position-index.js';
import { SourceText } from './source-text.js';

function indexOf(text: string): PositionIndex {
  const document = parseYaml(text);
  const targets = new Map<Alias, Node>();
  visit(document, (_, node) => {
    if (isAlias(node)) targets.set(node, node.resolve(document)!);
  });
  return new PositionIndex(new SourceText(text), document.contents, targets);
}

const TEXT = `# comment
spec:
  units:
    - id: a
      uses: "x"
    - id: b
  "a/b": { c~d: 1, list: [ 1, 22 ] }
  shared: &s { deep: yes }
  again: *s
  empty:
last: 1
`;

describe('the position of a value', () => {
  const positions = indexOf(TEXT);

  it.each([
    ['', 2, 1],
    ['/spec', 3, 3],
    ['/spec/units', 4, 5],
    ['/spec/units/0', 4, 7],
    ['/spec/units/0/uses', 5, 13],
    ['/spec/units/1/id', 6, 11],
    ['/spec/a~1b/c~0d', 7, 17],
    ['/spec/a~1b/list/1', 7, 31],
    ['/spec/again', 9, 10],
    ['/spec/again/deep', 8, 22],
    ['/last', 11, 7],
  ])('%s is at %i:%i', (pointer, line, column) => {
    expect(positions.at(pointer)).toEqual({ line, column });
  });

  it.each([
    ['a missing field', '/spec/units/1/uses', 6, 7],
    ['a missing field of a missing field', '/spec/units/1/policy/retry', 6, 7],
    ['an entry beyond the end of a list', '/spec/units/7', 4, 5],
    ['something inside plain text', '/last/x/y', 11, 7],
  ])('of %s is that of the nearest thing around it', (_name, pointer, line, column) => {
    expect(positions.at(pointer)).toEqual({ line, column });
    expect(positions.keyAt(pointer)).toEqual({ line, column });
  });

  it('of a value that is not written is that of its name', () => {
    expect(positions.at('/spec/empty')).toEqual({ line: 10, column: 3 });
  });

  it('of a name is where the name begins', () => {
    expect(positions.keyAt('/spec/units/0/uses')).toEqual({ line: 5, column: 7 });
    expect(positions.keyAt('/spec/a~1b')).toEqual({ line: 7, column: 3 });
  });

  it('of anything in an empty text is its beginning', () => {
    expect(indexOf('').at('/spec/flow')).toEqual({ line: 1, column: 1 });
  });
});
