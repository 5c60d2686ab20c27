import { jest } from '@jest/globals';
import { systemClock } from './system-clock.js';

describe('the system clock', () => {
  it('never calls back before the instant that it was given', async () => {
    const early: number[] = [];
    await Promise.all(
      Array.from({ length: 300 }, (_, index) => {
        const at = systemClock.now() + (index % 30);
        return new Promise<void>((resolve) => {
          systemClock.schedule(at, () => {
            if (systemClock.now() < at) early.push(at);
            resolve();
          });
          // Keeps the process alive, which the clock itself never does.
          setTimeout(() => undefined, 100);
        });
      }),
    );
    expect(early).toEqual([]);
  });

  it('asks for one timer for as long as it is, at most for the longest there is', () => {
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    const delayOf = (ms: number): number => {
      systemClock.schedule(systemClock.now() + ms, () => undefined)();
      return setTimer.mock.calls.at(-1)![1]!;
    };
    const delays = [10_000, 2 ** 31 + 10_000, -10_000].map(delayOf);
    const timers = setTimer.mock.calls.length;
    setTimer.mockRestore();
    expect(delays[0]).toBeGreaterThan(9_000);
    expect(delays[0]).toBeLessThanOrEqual(10_000);
    expect(delays.slice(1)).toEqual([2 ** 31 - 1, 0]);
    expect(timers).toBe(3);
  });

  it('does not call back once it is cancelled', async () => {
    let calls = 0;
    const cancel = systemClock.schedule(systemClock.now() + 5, () => calls++);
    cancel();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls).toBe(0);
  });
});
