import { ageText, lengthIn } from './age.js';

describe('an age', () => {
  it.each([
    [-5, '0s'],
    [0, '0s'],
    [59_999, '59s'],
    [60_000, '1m'],
    [7_199_000, '1h'],
    [86_400_000 * 12, '12d'],
  ])('of %i ms is %s', (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });
});

describe('how long ago', () => {
  it.each([
    ['90m', 5_400_000],
    ['1h', 3_600_000],
    [' 7d ', 604_800_000],
    ['2w', 1_209_600_000],
    ['30s', 30_000],
  ])('%s is %i ms', (text, ms) => {
    expect(lengthIn(text)).toBe(ms);
  });

  it.each(['1', 'h', '1y', '-1h', '1h30m', '9999999999h', '2026-11-01'])('%s is no length', (text) => {
    expect(lengthIn(text)).toBeNull();
  });
});
