import fc from 'fast-check';
import { sortSteps } from './sort-steps.js';

type Item = readonly [order: number, place: number];

function sorted(items: readonly Item[]): { readonly items: readonly Item[]; readonly steps: number } {
  const work = sortSteps([...items], ([a], [b]) => a - b);
  for (let steps = 0; ; steps++) {
    const step = work.next();
    if (step.done === true) return { items: step.value, steps };
  }
}

function itemsOf(count: number, seed: number): readonly Item[] {
  return Array.from({ length: count }, (_, place) => [(place * seed) % 997, place]);
}

describe('sorting step by step', () => {
  it('gives what sorting at once gives, equal items in their order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 1, max: 996 }), (count, seed) => {
        const items = itemsOf(count, seed);
        expect(sorted(items).items).toEqual(items.toSorted(([a], [b]) => a - b));
      }),
      { numRuns: 60 },
    );
  });

  it('can be interrupted after every thousand items or so, and is not where there are few', () => {
    expect(sorted(itemsOf(1_000, 7)).steps).toBe(0);
    expect(sorted(itemsOf(100_000, 7)).steps).toBeGreaterThan(500);
  });
});
