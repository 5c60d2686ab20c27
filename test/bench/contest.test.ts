import { compared, hold } from '../../bench/support/contest.ts';
import { figureOf, median, percentile } from '../../bench/support/statistics.ts';

const subject = { id: 'c', title: 'a contest', operation: 'run', reference: 'floor' };
const plan = { ...subject, rounds: 4 };
const sample = { perSecond: 1, done: 1, cpuMicros: null, generatorMicros: null };

describe('a contest', () => {
  it('has each order of its contenders as often as any other', async () => {
    const turns: string[] = [];
    const measure = (name: string) => async () => {
      turns.push(name);
      return sample;
    };
    const contenders = { floor: measure('f'), ours: measure('o'), theirs: measure('t') };
    await hold({ ...plan, rounds: 6, contenders });
    const orders = turns.join('').match(/.../g) ?? [];
    expect(orders.toSorted()).toEqual(['fot', 'fto', 'oft', 'otf', 'tfo', 'tof']);
  });

  it('is prepared before each round', async () => {
    const steps: string[] = [];
    const floor = async () => {
      steps.push('measured');
      return sample;
    };
    const prepare = async (round: number) => {
      steps.push(`round ${round}`);
    };
    await hold({ ...plan, rounds: 2, contenders: { floor }, prepare });
    expect(steps).toEqual(['round 0', 'measured', 'round 1', 'measured']);
  });

  it('takes ratios round by round, so that a slow moment of the machine falls on both', async () => {
    // Each round the machine is half as fast as before; against each other nothing changes.
    const slowing = (first: number) => {
      let speed = first * 2;
      return async () => ({ ...sample, perSecond: (speed /= 2), cpuMicros: 1 / speed });
    };
    const { contenders } = await hold({ ...plan, contenders: { floor: slowing(1024), ours: slowing(512) } });
    const ours = contenders.find(({ name }) => name === 'ours');
    expect(ours?.throughputRatio).toMatchObject({ median: 0.5, spread: [0.5, 0.5] });
    expect(ours?.cpuRatio).toMatchObject({ median: 2, spread: [2, 2] });
  });

  it('says nothing of CPU where it cannot be measured', async () => {
    const { contenders } = await hold({ ...plan, contenders: { floor: async () => sample } });
    expect(contenders[0]).toMatchObject({ cpuMicros: null, cpuRatio: null });
  });

  it('says what the load generator cost next to the contender, where that is a process of its own', () => {
    const measured = new Map([
      ['floor', [{ ...sample, cpuMicros: 100, generatorMicros: 20 }]],
      ['in process', [{ ...sample, cpuMicros: 120 }]],
    ]);
    const { contenders } = compared(subject, measured);
    expect(contenders.map(({ generatorMicros }) => generatorMicros?.median ?? null)).toEqual([20, null]);
  });
});

describe('a figure', () => {
  it('is the middle of its rounds, and says how far they lie apart', () => {
    expect(figureOf([5, 1, 9])).toEqual({ median: 5, spread: [1, 9], rounds: [5, 1, 9] });
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });

  it('has the percentile that so many are not above', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100]);
    expect(percentile([7], 0.99)).toBe(7);
  });
});
