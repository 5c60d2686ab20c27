import { isSame } from './same-value.js';

it('two values are the same whatever the order of their keys', () => {
  expect(isSame({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toBe(true);
  expect(isSame({ a: undefined as never }, {})).toBe(false);
  expect(isSame([1, 2], { 0: 1, 1: 2 })).toBe(false);
});
