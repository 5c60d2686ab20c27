import fc from 'fast-check';
import { timeAxis } from './time-axis.js';

const WEEK = 7 * 24 * 3_600_000;

describe('a time axis', () => {
  it('folds weeks in which nothing moved, so that what moved can be seen', () => {
    const axis = timeAxis(
      [
        { from: 0, to: 1_000 },
        { from: WEEK, to: WEEK + 1_000 },
      ],
      0,
      WEEK + 1_000,
    );
    expect(axis.stretches.map(({ isFolded }) => isFolded)).toEqual([false, true, false]);
    expect(axis.xOf(1_000)).toBeCloseTo(0.48);
    expect(axis.xOf(WEEK)).toBeCloseTo(0.52);
  });

  it('is even where something moved all the time', () => {
    const axis = timeAxis([{ from: 0, to: 10_000 }], 0, 10_000);
    expect([0, 2_500, 10_000].map((at) => axis.xOf(at))).toEqual([0, 0.25, 1]);
  });

  it('leaves short pauses as they are', () => {
    const axis = timeAxis(
      [
        { from: 0, to: 100 },
        { from: 1_500, to: 1_600 },
      ],
      0,
      1_600,
    );
    expect(axis.stretches).toHaveLength(1);
  });

  it('never goes back, and stays within its bounds, whatever moved when', () => {
    const spans = fc.array(fc.tuple(fc.nat(1_000_000), fc.nat(50_000)), { maxLength: 40 });
    fc.assert(
      fc.property(spans, fc.array(fc.nat(1_100_000), { minLength: 2, maxLength: 20 }), (given, instants) => {
        const moving = given.map(([from, length]) => ({ from, to: from + length }));
        const axis = timeAxis(moving, 0, 1_050_000);
        const places = instants.sort((a, b) => a - b).map((at) => axis.xOf(at));
        places.forEach((x, index) => {
          expect(x).toBeGreaterThanOrEqual(-1e-9);
          expect(x).toBeLessThanOrEqual(1 + 1e-9);
          if (index > 0) expect(x).toBeGreaterThanOrEqual((places[index - 1] ?? 0) - 1e-9);
        });
      }),
    );
  });
});
