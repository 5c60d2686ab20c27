import fc from 'fast-check';
import { baseFor } from './base.js';

const positionOf = (base: number, transaction: number, ordinal = 0): number =>
  (base + transaction) * 1_024 + ordinal;

describe('the base of positions', () => {
  it('stays as it is while the store is on its server, whatever transactions are open', () => {
    const highest = positionOf(0, 999, 1_023);
    expect(baseFor(0, { highest, oldest: 5, next: 1_000 }, false)).toBe(0);
    expect(baseFor(7, { highest: positionOf(7, 999), oldest: 1_000, next: 1_000 }, false)).toBe(7);
    expect(baseFor(0, { highest: 0, oldest: 3, next: 3 }, false)).toBe(0);
  });

  it('rises above what a dump has brought to a server with fewer transactions', () => {
    const highest = positionOf(0, 5_000_000, 3);
    const base = baseFor(0, { highest, oldest: 800, next: 900 }, true);
    expect(positionOf(base, 800)).toBeGreaterThan(highest);
    expect(base).toBe(5_000_001 - 800);
  });

  it('rises also where the server does not say that it is another one', () => {
    const highest = positionOf(0, 5_000_000);
    expect(baseFor(0, { highest, oldest: 800, next: 900 }, false)).toBe(5_000_001 - 800);
  });

  it('stays on a server that is ahead of the dump', () => {
    const highest = positionOf(12, 5_000, 1_023);
    expect(baseFor(12, { highest, oldest: 5_001, next: 5_001 }, true)).toBe(12);
  });

  it('never falls, leaves every new position above the stored ones, and those of a dump to be read at once', () => {
    const whole = fc.integer({ min: 0, max: 2 ** 40 });
    fc.assert(
      fc.property(
        whole,
        whole,
        whole,
        fc.nat(1_000),
        fc.boolean(),
        (base, highest, oldest, open, isOther) => {
          const next = oldest + open;
          const risen = baseFor(base, { highest, oldest, next }, isOther);
          expect(risen).toBeGreaterThanOrEqual(base);
          expect(positionOf(risen, next)).toBeGreaterThan(highest);
          if (isOther || risen > base) expect(positionOf(risen, oldest)).toBeGreaterThan(highest);
        },
      ),
    );
  });
});
