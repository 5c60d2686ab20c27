import type { Clock } from '../../bench/support/clock.ts';
import { openLoop, Pace } from '../../bench/support/open-loop.ts';
import { percentile } from '../../bench/support/statistics.ts';

/** One that only pauses move. `stalls`: how much longer than asked for the pause at that time takes, in ms. */
function manualClock(stalls: Readonly<Record<number, number>> = {}): Clock {
  let now = 0;
  return {
    now: () => now,
    pause: async (ms) => {
      // Answers that are there are taken before the time goes on.
      await new Promise((resolve) => setImmediate(resolve));
      now += ms + (stalls[now] ?? 0);
    },
  };
}

describe('the pace of an open loop', () => {
  it('has requests due evenly apart, as many as the rate says', () => {
    const pace = new Pace({ perSecond: 4, seconds: 1 }, 100);
    expect(pace.take(100)).toEqual([100]);
    expect(pace.take(349)).toEqual([]);
    expect(pace.take(600)).toEqual([350, 600]);
    expect(pace.take(99_999)).toEqual([850]);
    expect(pace.take(99_999)).toEqual([]);
  });

  it('does not drift, however often it is asked', () => {
    const pace = new Pace({ perSecond: 3, seconds: 1_000 }, 0);
    let last = 0;
    for (let now = 0; now <= 1_000_000; now += 7) last = pace.take(now).at(-1) ?? last;
    expect(last).toBeCloseTo(2_999 * (1_000 / 3), 6);
  });
});

describe('an open loop', () => {
  it('sends at its rate, whether answers come or not', async () => {
    const clock = manualClock();
    const sentAt: number[] = [];
    const answers: (() => void)[] = [];
    const send = () => {
      sentAt.push(clock.now());
      if (sentAt.length === 10) for (const answer of answers) answer();
      return sentAt.length >= 10 ? Promise.resolve() : new Promise<void>((resolve) => answers.push(resolve));
    };
    const tookMs = await openLoop(send, { perSecond: 100, seconds: 0.1 }, clock);
    expect(sentAt).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
    expect([...tookMs].toSorted((a, b) => a - b)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  });

  it('counts the time of an answer from when its request was due, not from when it was sent', async () => {
    // The generator itself is kept from sending for 50 ms.
    const tookMs = await openLoop(async () => {}, { perSecond: 100, seconds: 0.1 }, manualClock({ 19: 50 }));
    expect([...tookMs]).toEqual([0, 0, 50, 40, 30, 20, 10, 0, 0, 0]);
    expect(percentile(tookMs, 0.99)).toBe(50);
  });

  it('fails with the first answer that does', async () => {
    const send = async () => {
      throw new Error('503');
    };
    await expect(openLoop(send, { perSecond: 100, seconds: 1 }, manualClock())).rejects.toThrow('503');
  });

  it('gives up on a target that falls behind for good', async () => {
    const never = () => new Promise<void>(() => {});
    await expect(openLoop(never, { perSecond: 10, seconds: 60 }, manualClock())).rejects.toThrow(
      '101 requests wait at 10 a second',
    );
  });
});
