import { problemOfKeys } from './key-bounds.js';

const ofKeys = (count: number, keyOf: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [keyOf(index), 1]));

describe('the keys that something brings into the shared state at once', () => {
  it('are ten thousand at most', () => {
    expect(problemOfKeys(ofKeys(10_000, (index) => `k${index}`))).toBeNull();
    expect(problemOfKeys(ofKeys(10_001, (index) => `k${index}`))).toBe(
      'has 10001 keys at its top, more than 10000: put them into one object or list under a single key',
    );
  });

  it('are not made to share one hash, which by chance few do', () => {
    const alike = (index: number) =>
      index.toString(2).padStart(7, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB');
    expect(problemOfKeys(ofKeys(64, alike))).toBeNull();
    expect(problemOfKeys(ofKeys(65, alike))).toMatch(
      /^has more than 64 keys .* share one hash: put them into/,
    );
    for (const radix of [2, 16, 36])
      expect(problemOfKeys(ofKeys(10_000, (index) => index.toString(radix)))).toBeNull();
  });
});
