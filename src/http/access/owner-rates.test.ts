import { TooManyRequestsError } from '../../errors/access-errors.js';
import { OwnerRates } from './owner-rates.js';

/** Rates with a clock that the test advances. */
function rates(perSecond: number, most?: number) {
  const clock = { ms: 0 };
  const of = new OwnerRates(perSecond, () => clock.ms, most);
  const isTaken = (owner: string): boolean => {
    try {
      of.take(owner);
      return true;
    } catch (error) {
      if (!(error instanceof TooManyRequestsError)) throw error;
      return false;
    }
  };
  const takenOf = (owner: string, sent: number) =>
    Array.from({ length: sent }, () => isTaken(owner)).filter(Boolean).length;
  return { of, clock, isTaken, takenOf };
}

describe('the requests of an owner', () => {
  it('are as many at once as there may be in a second, and then as many as the time brings back', () => {
    const { clock, takenOf } = rates(10);
    expect(takenOf('ann', 25)).toBe(10);
    clock.ms = 500;
    expect(takenOf('ann', 25)).toBe(5);
    clock.ms = 60_000;
    expect(takenOf('ann', 25)).toBe(10);
  });

  it('are no more than that however often the refused ones are sent again', () => {
    const { clock, takenOf } = rates(4);
    let taken = 0;
    for (; clock.ms < 10_000; clock.ms += 10) taken += takenOf('ann', 3);
    expect(taken).toBe(4 + 4 * 10 - 1);
  });

  it('cost nobody else anything', () => {
    const { takenOf } = rates(2);
    expect([takenOf('ann', 100), takenOf('bob', 2)]).toEqual([2, 2]);
  });

  it('are refused with the seconds after which one is taken', () => {
    const { of, clock } = rates(1);
    of.take('ann');
    expect(() => of.take('ann')).toThrow(
      expect.objectContaining({ retryAfterSeconds: 1, code: 'too-many-requests' }),
    );
    clock.ms = 1_000;
    expect(() => of.take('ann')).not.toThrow();
  });

  it('are forgotten once the allowance is whole again, and never of more owners than are remembered', () => {
    const { of, clock, isTaken } = rates(5, 100);
    for (let n = 0; n < 1_000; n += 1) isTaken(`owner ${n}`);
    expect(of.size).toBe(100);
    clock.ms = 1_000;
    isTaken('ann');
    expect(of.size).toBe(1);
  });
});
