import { errorsTogether, errorText } from './error-text.js';

describe('the text of an error', () => {
  it('is what it is, up to 65,536 characters, and says how much it leaves out', () => {
    const long = 'x'.repeat(65_536);
    expect(errorText(long)).toBe(long);
    expect(errorText(`${long}yz`)).toBe(`${long}… (2 more characters)`);
  });

  it('is never truncated within a character', () => {
    const text = `${'x'.repeat(65_535)}😀`;
    expect(errorText(text)).toBe(`${'x'.repeat(65_535)}… (2 more characters)`);
  });

  it('names all that are together in it, as far as there is space', () => {
    expect(errorsTogether(['one', 'two', 'three'])).toBe('one; two; three');
    const texts = errorsTogether(Array.from({ length: 80 }, () => 'x'.repeat(8_000_000)));
    expect(texts.endsWith('; and 79 more')).toBe(true);
    expect(texts.length).toBeLessThan(66_000);
  });
});
