import fc from 'fast-check';
import { CallWindow, WINDOW_MS } from './call-window.js';

const START = 1_750_000_000_000;

/** A window with calls at these ms after the start. */
function windowWith(...calls: readonly number[]): CallWindow {
  const window = new CallWindow();
  for (const at of calls) window.add(START + at);
  return window;
}

/** How many numbers it holds. */
function numbersIn(window: CallWindow): number {
  return Object.values(window)
    .filter(Array.isArray)
    .reduce((sum, { length }) => sum + length, 0);
}

describe('the calls of the last minute', () => {
  it('leave room for as many as are allowed, and for no more', () => {
    const window = windowWith(0, 1, 2);
    expect([4, 3, 2].map((max) => window.hasRoom(max, START + 3))).toEqual([true, false, false]);
  });

  it('free their capacity sequentially, each a minute after it was made, to the millisecond', () => {
    const window = windowWith(0, 10, 10, 500);
    expect([4, 3, 2, 1].map((max) => window.roomAt(max) - START - WINDOW_MS)).toEqual([0, 10, 10, 500]);
    expect(window.hasRoom(4, START + WINDOW_MS - 1)).toBe(false);
    expect(window.hasRoom(4, START + WINDOW_MS)).toBe(true);
    expect(window.hasRoom(3, START + WINDOW_MS + 9)).toBe(false);
    expect(window.hasRoom(2, START + WINDOW_MS + 10)).toBe(true);
  });

  it('are none after a minute without any', () => {
    const window = windowWith(0, 10);
    expect([window.isEmpty(START + WINDOW_MS + 9), window.isEmpty(START + WINDOW_MS + 10)]).toEqual([
      false,
      true,
    ]);
    expect(numbersIn(window)).toBe(0);
  });

  it('are never more than allowed in any minute, whenever calls come, as soon as there is room', () => {
    const gaps = fc.array(fc.nat({ max: 3_000 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), gaps, (max, waits) => {
        const window = new CallWindow();
        const made: number[] = [];
        let now = START;
        for (const wait of waits) {
          now += wait;
          if (!window.hasRoom(max, now)) now = window.roomAt(max);
          expect(window.hasRoom(max, now)).toBe(true);
          // There is room again no later than necessary.
          const before = made.at(-max);
          if (before !== undefined) expect(now).toBeGreaterThanOrEqual(before + WINDOW_MS);
          window.add(now);
          made.push(now);
        }
      }),
    );
  });

  it('take bounded memory, and are rounded to the safe side by less than a thousandth, when there are many', () => {
    const window = new CallWindow();
    const perMs = 5;
    let most = 0;
    for (let ms = 0; ms < 2 * WINDOW_MS; ms += 1) {
      for (let call = 0; call < perMs; call += 1) window.add(START + ms);
      if (ms % 1_000 === 0) most = Math.max(most, numbersIn(window));
    }
    expect(most).toBeLessThan(10_000);
    const now = START + 2 * WINDOW_MS - 1;
    const exact = perMs * WINDOW_MS;
    expect(window.hasRoom(exact, now)).toBe(false);
    expect(window.hasRoom(Math.ceil(exact * 1.001) + 1, now)).toBe(true);
  });

  it('stay counted when the clock goes back', () => {
    const window = windowWith(1_000, 400);
    expect(window.hasRoom(2, START)).toBe(false);
    expect(window.roomAt(2)).toBe(START + 1_000 + WINDOW_MS);
  });
});
