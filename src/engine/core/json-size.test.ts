import fc from 'fast-check';
import { approximateChars } from './json-size.js';

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
