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

  it('does not call back once it is cancelled', async () => {
    let calls = 0;
    const cancel = systemClock.schedule(systemClock.now() + 5, () => calls++);
    cancel();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls).toBe(0);
  });
});
