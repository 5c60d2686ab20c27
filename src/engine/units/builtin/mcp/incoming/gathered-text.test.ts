import fc from 'fast-check';
import { GatheredText } from './gathered-text.js';

const LARGE = 16 * 1024;

function gathered(pieces: Iterable<string>): GatheredText {
  const text = new GatheredText();
  for (const piece of pieces) text.add(piece);
  return text;
}

describe('a text that arrives in pieces', () => {
  it('is kept in one piece for each 16 KiB and a few more, where each that comes is of one byte', () => {
    const text = gathered('x'.repeat(1_000_000));
    expect(text.pieces).toBeLessThanOrEqual(Math.floor(1_000_000 / LARGE) + 15);
    expect(text.take()).toBe('x'.repeat(1_000_000));
  });

  it('is the same in whatever pieces it arrives, and never kept in many', () => {
    const length = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 40_000 }));
    fc.assert(
      fc.property(fc.array(length, { maxLength: 200 }), (lengths) => {
        const pieces = lengths.map((chars, index) => String(index % 10).repeat(chars));
        const whole = pieces.join('');
        const text = gathered(pieces);
        expect(text.pieces).toBeLessThanOrEqual(Math.floor(whole.length / LARGE) + 15);
        expect(text.take() === whole).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('starts over when it was taken', () => {
    const text = gathered(['a', 'b']);
    text.take();
    text.add('c');
    expect(text.take()).toBe('c');
  });
});
