import fc from 'fast-check';
import type { JsonValue } from './json.js';
import { approximateChars, charsOfField, charsOfFields, isSurelyWithin } from './json-size.js';
import { lawCases } from '../../../test/support/law-cases.js';

describe('about how many characters JSON takes', () => {
  it('is right for texts without escapes and for what they are in', () => {
    const text = fc.stringMatching(/^[a-z ]*$/);
    fc.assert(
      fc.property(fc.array(fc.dictionary(text, text)), (value) => {
        const exact = JSON.stringify(value).length;
        // A comma too many for each list and object.
        expect(approximateChars(value) - exact).toBeGreaterThanOrEqual(0);
        expect(approximateChars(value) - exact).toBeLessThanOrEqual(1 + value.length);
      }),
    );
  });

  it('is the same for any number, true, false and null', () => {
    expect([1, -1.5e300, true, false, null].map(approximateChars)).toEqual([8, 8, 8, 8, 8]);
  });
});

describe('whether JSON is surely written within so many characters', () => {
  it('is never said of what takes more', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.nat(200), (value, chars) => {
        const json = value as JsonValue;
        if (isSurelyWithin(json, chars)) expect(JSON.stringify(json).length).toBeLessThanOrEqual(chars);
      }),
      { numRuns: lawCases(2_000) },
    );
  });

  it('is said of what is much smaller', () => {
    expect(isSurelyWithin({ ok: true, note: 'as it should be', list: [1, 2, null] }, 4_096)).toBe(true);
    expect(isSurelyWithin('a'.repeat(680), 4_096)).toBe(true);
    expect(isSurelyWithin('a'.repeat(4_095), 4_096)).toBe(false);
  });
});

describe('what the fields of an object take', () => {
  it('is what the object takes, its texts, lists and objects counted for themselves', () => {
    const fixed = charsOfFields({ scalars: ['count', 'is'], others: ['text', 'list'] });
    const whole = approximateChars({ count: 3, is: null, text: 'some', list: [1] });
    expect(fixed + approximateChars('some') + approximateChars([1])).toBe(whole);
    expect(approximateChars({ a: 'x', b: 1 }) - approximateChars({ b: 1 })).toBe(charsOfField('a', 'x'));
    expect(charsOfField('a', undefined)).toBe(0);
  });
});
