import { assert, jsonValue, property } from 'fast-check';
import { exceededJsonLimit } from './exceeded-json-limit.js';

/** Long enough to be looked into. */
const LONG = 'x'.repeat(70_000);
const counting = (count: number) => Array.from({ length: count }, (_, item) => item);

describe('a JSON text, before it is parsed', () => {
  it.each([
    ['four hundred thousand items', { input: { list: counting(400_000) } }],
    ['four hundred thousand empty lists', { input: { list: counting(400_000).map(() => []) } }],
    ['fifty thousand keys', { input: { rows: counting(50_000).map((id) => ({ id })) } }],
    ['signs that count nothing within texts', { text: `${',:[{'.repeat(1_000_000)}` }],
    ['texts that end in escaped signs', { text: '\\"\\\\'.repeat(20_000), more: [`${LONG}\\`, '"'] }],
  ])('may hold %s', (_what, body) => {
    expect(exceededJsonLimit(JSON.stringify(body))).toBeNull();
    expect(exceededJsonLimit(JSON.stringify(body, null, 1))).toBeNull();
  });

  it.each([
    ['more keys', JSON.stringify(Object.fromEntries(counting(51_001).map((n) => [n, 1]))), '51000 keys'],
    ['more values', JSON.stringify(counting(501_001)), '501000 values'],
    ['more lists', `[${'[[0]],'.repeat(300_000)}0]`, '501000 values'],
    ['more levels', `${'['.repeat(501_001)}${']'.repeat(501_001)}`, '501000 values'],
  ])('is refused with %s', (_what, text, exceeded) => {
    expect(exceededJsonLimit(text)).toContain(exceeded);
  });

  it('is not looked into while it is short', () => {
    expect(exceededJsonLimit('['.repeat(60_000))).toBeNull();
  });

  it('is never refused for what it does not hold, whatever it is', () => {
    assert(
      property(jsonValue(), (value) => {
        expect(exceededJsonLimit(JSON.stringify([LONG, value], null, 1))).toBeNull();
      }),
    );
  });

  it.each([
    ['lines of JSON', '{"a":1}\n'.repeat(60_000)],
    ['a text that begins with a list', `[note] ${'"a":1, '.repeat(60_000)}`],
    ['words', 'a: b, '.repeat(600_000)],
  ])('that is more than one value (%s) is left to the parser, which stops there', (_what, text) => {
    expect(exceededJsonLimit(text)).toBeNull();
  });

  it.each(['"'.padEnd(70_000, 'x'), `"${'\\"'.repeat(40_000)}`, `"${'x'.repeat(70_000)}\\`, LONG])(
    'that is no JSON is left to the parser',
    (text) => {
      expect(exceededJsonLimit(text)).toBeNull();
    },
  );
});
