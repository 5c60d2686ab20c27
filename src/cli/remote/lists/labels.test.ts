import { labelsOf } from './labels.js';

it('labels are written with a colon or an equals sign; the value may hold either', () => {
  expect(labelsOf(['team:blue', 'url=http://a', 'time:12:30', 'empty:', '__proto__:x'])).toEqual(
    Object.fromEntries([
      ['team', 'blue'],
      ['url', 'http://a'],
      ['time', '12:30'],
      ['empty', ''],
      ['__proto__', 'x'],
    ]),
  );
  expect(labelsOf(undefined)).toBeUndefined();
});

it.each([[['blue']], [[':blue']], [['a:1', 'a:2']]])('%j are no labels', (given) => {
  expect(() => labelsOf(given)).toThrow(/--label/);
});
