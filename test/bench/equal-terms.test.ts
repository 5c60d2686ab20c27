import { caughtUp } from '../../bench/support/caught-up.ts';
import type { Clock } from '../../bench/support/clock.ts';
import { holdOnEqualTerms, settled, warmUp } from '../../bench/support/equal-terms.ts';

const effort = {
  rounds: 2,
  warmUpOperations: 100,
  warmUpSeconds: 10,
  runUpSeconds: 3,
  quietMs: 0,
  seconds: 2,
};

/** Does so many operations in a second, and remembers for how many seconds it was asked to. */
function worker(perSecond: number) {
  const asked: number[] = [];
  const work = async (seconds: number) => {
    asked.push(seconds);
    return { perSecond, done: perSecond * seconds, cpuMicros: null, generatorMicros: null };
  };
  return { asked, work };
}

/** One that only pauses move. */
function manualClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    pause: async (ms) => {
      now += ms;
    },
  };
}

describe('a warm-up', () => {
  it('lasts until there were enough operations', async () => {
    const { asked, work } = worker(20);
    expect(await warmUp(work, effort)).toBe(120);
    expect(asked).toEqual([2, 2, 2]);
  });

  it('is over for a slow one when its time is, and says how far it came', async () => {
    const { asked, work } = worker(1);
    expect(await warmUp(work, effort)).toBe(10);
    expect(asked).toHaveLength(5);
  });
});

describe('a round on equal terms', () => {
  it('is a run-up that nobody counts, a time without load, and the work', async () => {
    const { steps, perSecond } = await roundOf(0);
    expect(steps).toEqual(['3 s of work', '500 ms', '2 s of work']);
    expect(perSecond).toBe(2);
  });

  it('has no more time without load for one that catches up meanwhile', async () => {
    expect((await roundOf(400)).steps).toEqual(['3 s of work', '100 ms', '2 s of work']);
    expect((await roundOf(600)).steps).toEqual(['3 s of work', '0 ms', '2 s of work']);
  });

  /** Of one that catches up for so long after each load. */
  async function roundOf(catchesUpMs: number) {
    const steps: string[] = [];
    const clock = manualClock();
    const work = async (seconds: number) => {
      steps.push(`${seconds} s of work`);
      await clock.pause(seconds * 1_000 + catchesUpMs);
      return { perSecond: seconds, done: 1, cpuMicros: null, generatorMicros: null };
    };
    const pause = async (ms: number) => {
      steps.push(`${ms} ms`);
      await clock.pause(ms);
    };
    const { perSecond } = await settled(work, { ...effort, quietMs: 500 }, { ...clock, pause });
    return { steps, perSecond };
  }

  it('comes after a warm-up of each, whose operations are told', async () => {
    const [fast, slow] = [worker(60), worker(1)];
    const { contenders } = await holdOnEqualTerms(
      {
        id: 'c',
        title: 'a contest',
        operation: 'run',
        reference: 'fast',
        contenders: { fast: fast.work, slow: slow.work },
      },
      effort,
      manualClock(),
    );
    expect(contenders.map(({ warmUpOperations }) => warmUpOperations)).toEqual([120, 10]);
    expect(contenders.map(({ perSecond }) => perSecond.rounds.length)).toEqual([2, 2]);
    expect(fast.asked).toEqual([2, 3, 2, 3, 2]);
    expect(slow.asked).toEqual([2, 2, 2, 2, 2, 3, 2, 3, 2]);
  });
});

describe('who has work left after its answers', () => {
  it('is waited for until nothing is left', async () => {
    const left = [7, 3, 0, 9];
    await caughtUp(async () => left.shift() ?? 0, manualClock());
    expect(left).toEqual([9]);
  });

  it('and never ends it is named after two minutes', async () => {
    const clock = manualClock();
    await expect(caughtUp(async () => 5, clock)).rejects.toThrow(
      '5 entries of the log are not read after 600 s',
    );
    expect(clock.now()).toBe(600_000);
  });
});
