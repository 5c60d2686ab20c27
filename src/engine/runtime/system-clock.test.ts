import { jest } from '@jest/globals';
import type { Readings } from '../scheduling/readings.js';
import { SystemClock, systemClock } from './system-clock.js';

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
          // This keeps the process alive, which the clock itself never does.
          setTimeout(() => undefined, 100);
        });
      }),
    );
    expect(early).toEqual([]);
  });

  it('asks for one timer for as long as it is, at most until the next look at the wall clock', () => {
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    const delayOf = (ms: number): number => {
      systemClock.schedule(systemClock.now() + ms, () => undefined)();
      return setTimer.mock.calls.at(-1)![1]!;
    };
    const delays = [4_000, 10_000, 2 ** 31 + 10_000, -10_000].map(delayOf);
    const timers = setTimer.mock.calls.length;
    setTimer.mockRestore();
    expect(delays[0]).toBeGreaterThan(3_000);
    expect(delays[0]).toBeLessThanOrEqual(4_000);
    expect(delays.slice(1)).toEqual([5_000, 5_000, 0]);
    expect(timers).toBe(4);
  });

  it('does not call back once it is cancelled', async () => {
    let calls = 0;
    const cancel = systemClock.schedule(systemClock.now() + 5, () => calls++);
    cancel();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls).toBe(0);
  });
});

const HOUR_MS = 3_600_000;

/** A machine whose wall clock can be set, and which can be put to sleep. */
class Machine implements Readings {
  private wall = 1_790_000_000_000;
  private steady = 12_345.678;

  wallMs(): number {
    return Math.floor(this.wall);
  }

  steadyMs(): number {
    return this.steady;
  }

  /** Time passes, for its timers too. */
  run(ms: number): void {
    for (let passed = 0; passed < ms; passed += 100) {
      this.wall += 100;
      this.steady += 100;
      jest.advanceTimersByTime(100);
    }
  }

  /** Sets the clock forward or back, without effect on timers. A sleep looks just like a wall clock that is set forward. */
  setWallBy(ms: number): void {
    this.wall += ms;
  }
}

describe('the system clock of a machine whose wall clock is set', () => {
  let machine: Machine;
  let clock: SystemClock;
  beforeEach(() => {
    jest.useFakeTimers();
    machine = new Machine();
    clock = new SystemClock(machine);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** What was due after these many ms, and has happened. */
  function waits(...delays: readonly number[]): readonly number[] {
    const happened: number[] = [];
    for (const ms of delays) clock.schedule(clock.now() + ms, () => happened.push(ms));
    return happened;
  }

  it('is what the wall clock says until that is set', () => {
    for (let minute = 0; minute < 5; minute += 1) {
      expect(clock.now()).toBe(machine.wallMs());
      expect(clock.wallTime()).toBe(machine.wallMs());
      machine.run(60_000);
    }
  });

  it('delays nothing when that is set back an hour, and continues without a step', () => {
    const before = clock.now();
    const happened = waits(3_000, 60_000);
    machine.run(1_000);
    machine.setWallBy(-HOUR_MS);
    expect(clock.now()).toBe(before + 1_000);
    expect(clock.wallTime()).toBe(before + 1_000 - HOUR_MS);
    const since = waits(3_000);
    machine.run(2_000);
    expect(happened).toEqual([3_000]);
    machine.run(1_000);
    expect(since).toEqual([3_000]);
    machine.run(56_000);
    expect(happened).toEqual([3_000, 60_000]);
    expect(clock.now()).toBe(before + 60_000);
  });

  it('delays nothing either when it is put right again, forth and back', () => {
    const happened = waits(10_000);
    for (const step of [-HOUR_MS, HOUR_MS, -HOUR_MS, HOUR_MS]) {
      machine.setWallBy(step);
      machine.run(2_000);
    }
    expect(happened).toEqual([]);
    machine.run(2_000);
    expect(happened).toEqual([10_000]);
    expect(clock.now()).toBe(machine.wallMs());
  });

  it('never goes back', () => {
    let latest = clock.now();
    for (const step of [-1, 1, -HOUR_MS, 0.4, HOUR_MS / 2, 500.7, -HOUR_MS, 3 * HOUR_MS, -0.2]) {
      machine.setWallBy(step);
      for (let turn = 0; turn < 3; turn += 1) {
        const now = clock.now();
        expect(now).toBeGreaterThanOrEqual(latest);
        expect(Number.isInteger(now)).toBe(true);
        latest = now;
        machine.run(100);
      }
    }
  });

  it('fires what came due while the machine slept, at most five seconds after it woke', () => {
    const happened = waits(HOUR_MS, 3 * HOUR_MS, 30 * 24 * HOUR_MS);
    machine.run(60_000);
    machine.setWallBy(2 * HOUR_MS);
    machine.run(5_000);
    expect(happened).toEqual([HOUR_MS]);
    expect(clock.now()).toBe(machine.wallMs());
    machine.setWallBy(40 * 24 * HOUR_MS);
    machine.run(5_000);
    expect(happened).toEqual([HOUR_MS, 3 * HOUR_MS, 30 * 24 * HOUR_MS]);
  });
});
