import { markRange } from './mark-range.js';

const marked = (line: string, column: number | null): string => {
  const { from, to } = markRange(line, column);
  return line.slice(from, to);
};

it.each([
  ['    uses: builtin.mok # why', 11, 'builtin.mok'],
  ['  - { id: a, use: b }', 14, 'use'],
  ['uses: "a b"', 7, '"a b"'],
  ['  spec:', null, 'spec'],
  ['    - id: a', null, 'id'],
  ['  [', 3, '['],
  ['', 1, ''],
  ['a', 9, ''],
])('of %j at %j it is %j', (line, column, expected) => {
  expect(marked(line, column)).toBe(expected);
});
