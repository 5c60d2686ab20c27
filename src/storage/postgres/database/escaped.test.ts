import fc from 'fast-check';
import { escaped, unescaped } from './escaped.js';

describe('a text that goes into a column', () => {
  it.each([
    ['plain text', 'Grüße, "世界" 𠀀 \u0001 \\'],
    ['nothing', ''],
  ])('stays as it is: %s', (_what, text) => {
    expect(escaped(text)).toBe(text);
    expect(unescaped(text)).toBe(text);
  });

  it.each([
    ['NUL', 'a\0b', 'a\u241b0000b'],
    ['a high half', 'a\ud83db', 'a\u241bd83db'],
    ['a low half', '\udc00', '\u241bdc00'],
    ['halves in the wrong order', '\udc00\ud83d', '\u241bdc00\u241bd83d'],
    ['a half next to a pair', '\ud83d\ud83d\ude00', '\u241bd83d\ud83d\ude00'],
    ['the sign itself', '\u241b0000', '\u241b241b0000'],
  ])('has %s escaped, and gives it back', (_what, text, stored) => {
    expect(escaped(text)).toBe(stored);
    expect(unescaped(stored)).toBe(text);
  });

  it('can be stored, and comes back, whatever it is', () => {
    const halves = fc.constantFrom('\0', '\ud83d', '\ude00', '\u241b', '0', 'd83d', 'a');
    const texts = fc.oneof(
      fc.array(halves).map((parts) => parts.join('')),
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const stored = escaped(text);
        expect(stored.isWellFormed()).toBe(true);
        expect(stored).not.toContain('\0');
        expect(unescaped(stored)).toBe(text);
      }),
    );
  });
});
