import { keyDifferences, pathsWith } from './json-difference.js';

describe('two states', () => {
  it('differ by what was added, changed and removed', () => {
    const rows = keyDifferences({ a: 1, b: [1], c: 'x' }, { b: [1], a: 2, d: null });
    expect(rows.map(({ key, change }) => [key, change])).toEqual([
      ['b', 'same'],
      ['a', 'changed'],
      ['d', 'added'],
      ['c', 'removed'],
    ]);
  });
});

describe('a search in a state', () => {
  const state = { order: { id: 'A7', lines: [{ sku: 'tea' }, { sku: 'cup' }] }, empty: {}, tea: 1 };
  it('finds names and texts, and says where they are', () => {
    expect(pathsWith(state, 'TEA').map(({ path }) => path)).toEqual(['order.lines[0].sku', 'tea']);
    expect(pathsWith(state, 'lines[1]').map(({ path }) => path)).toEqual(['order.lines[1].sku']);
    expect(pathsWith(state, 'empty').map(({ path }) => path)).toEqual(['empty']);
  });

  it('ends where nobody reads on', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, index]));
    expect(pathsWith(many, 'key')).toHaveLength(200);
  });
});
