import { beginningOf } from './beginning-of.js';

test('the beginning of a text is as long as is asked for, and never ends within a character', () => {
  expect(beginningOf('flow', 9)).toBe('flow');
  expect(beginningOf('flowgate', 4)).toBe('flow');
  expect(beginningOf('flow🚪gate', 5)).toBe('flow');
  expect(beginningOf('flow🚪gate', 6)).toBe('flow🚪');
});
