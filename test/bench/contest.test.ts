import { hold } from '../../bench/support/contest.ts';
import { figureOf, median, percentile } from '../../bench/support/statistics.ts';

const plan = { id: 'c', title: 'a contest', operation: 'run', reference: 'floor', rounds: 4, warmUp: 1 };

describe('a contest', () => {
  it('has each order of its contenders as often as any other', async () => {
    const turns: string[] = [];
    const measure = (name: string) => async () => {
      turns.push(name);
      return { perSecond: 1, cpuMicros: 1 };
    };
    const contenders = { floor: measure('f'), ours: measure('o'), theirs: measure('t') };
    await hold({ ...plan, rounds: 6, warmUp: 0, contenders });
    const orders = turns.join('').match(/.../g) ?? [];
    expect(orders.toSorted()).toEqual(['fot', 'fto', 'oft', 'otf', 'tfo', 'tof']);
  });

  it('is prepared before each round', async () => {
    const steps: string[] = [];
    const floor = async () => {
      steps.push('measured');
      return { perSecond: 1, cpuMicros: null };
    };
    const prepare = async (round: number) => {
      steps.push(`round ${round}`);
    };
    await hold({ ...plan, rounds: 1, contenders: { floor }, prepare });
    expect(steps).toEqual(['round 0', 'measured', 'round 1', 'measured']);
  });

  it('counts no round that warms up', async () => {
    let round = 0;
    const measure = async () => ({ perSecond: ++round, cpuMicros: null });
    const { contenders } = await hold({ ...plan, contenders: { floor: measure } });
    expect(contenders[0]?.perSecond.rounds).toEqual([2, 3, 4, 5]);
  });

  it('takes ratios round by round, so that a slow moment of the machine falls on both', async () => {
    // Each round the machine is half as fast as before; against each other nothing changes.
    const slowing = (first: number) => {
      let speed = first * 2;
      return async () => ({ perSecond: (speed /= 2), cpuMicros: 1 / speed });
    };
    const { contenders } = await hold({ ...plan, contenders: { floor: slowing(1024), ours: slowing(512) } });
    const ours = contenders.find(({ name }) => name === 'ours');
    expect(ours?.throughputRatio).toMatchObject({ median: 0.5, spread: [0.5, 0.5] });
    expect(ours?.cpuRatio).toMatchObject({ median: 2, spread: [2, 2] });
  });

  it('says nothing of CPU where it cannot be measured', async () => {
    const measure = async () => ({ perSecond: 1, cpuMicros: null });
    const { contenders } = await hold({ ...plan, contenders: { floor: measure } });
    expect(contenders[0]).toMatchObject({ cpuMicros: null, cpuRatio: null });
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
