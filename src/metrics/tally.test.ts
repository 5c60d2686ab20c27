import fc from 'fast-check';
import { addTo } from './loop-delay.js';
import { Tally } from './tally.js';

const BOUNDS = [0.1, 1, 10];

describe('a tally', () => {
  it('counts a value that is a bound below it, as Prometheus does', () => {
    const tally = new Tally(BOUNDS);
    for (const value of [0.1, 0.11, 1, 10, 11]) tally.observe(value);
    expect([tally.cumulative(), tally.count]).toEqual([[1, 3, 4], 5]);
    expect(tally.sum).toBeCloseTo(22.21);
  });

  it('has under each bound what was at most that, whatever was observed', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 20, noNaN: true })), (values) => {
        const tally = new Tally(BOUNDS);
        for (const value of values) tally.observe(value);
        expect(tally.cumulative()).toEqual(
          BOUNDS.map((bound) => values.filter((value) => value <= bound).length),
        );
        expect(tally.count).toBe(values.length);
      }),
    );
  });
});

describe('the delay of the event loop', () => {
  const measured = (count: number, percentiles: readonly (readonly [number, number])[]) => ({
    count,
    percentiles: new Map(percentiles),
  });

  it('is how late timers came, without the interval at which they are due', () => {
    const tally = new Tally(BOUNDS);
    addTo(tally, measured(1, [[100, 320_000_000]]));
    expect(tally.sum).toBeCloseTo(0.3);
  });

  it('counts as many values as were measured, wherever their percentiles lie', () => {
    const tally = new Tally(BOUNDS);
    const percentiles = [
      [0, 20_100_000],
      [50, 20_200_000],
      [75, 170_000_000],
      [100, 5_020_000_000],
    ] as const;
    addTo(tally, measured(8, percentiles));
    expect([tally.cumulative(), tally.count]).toEqual([[4, 6, 8], 8]);
    addTo(tally, measured(0, [[100, 0]]));
    expect(tally.count).toBe(8);
  });
});
