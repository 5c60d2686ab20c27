import { grow } from '../../bench/support/growth.ts';
import type { Gap } from '../../bench/support/results.ts';

describe('what grows', () => {
  it('is measured at all sizes in interleaved rounds, after a round that nobody counts', async () => {
    const asked: number[] = [];
    const gaps: Gap[] = [];
    const measure = async (size: number) => ({ cost: size + asked.push(size) });
    const [line] = await grow({ name: 'x', sizes: [10, 20], rounds: 2, boundMs: 60_000, measure }, gaps);
    expect(asked).toEqual([10, 20, 20, 10, 10, 20]);
    expect(line?.points.map(({ size, value }) => [size, value.rounds])).toEqual([
      [10, [14, 15]],
      [20, [23, 26]],
    ]);
    expect(gaps).toEqual([]);
  });

  it('is measured once at a size that takes too long, and says so', async () => {
    const gaps: Gap[] = [];
    const asked: number[] = [];
    const measure = async (size: number) => ({ cost: asked.push(size) });
    const [line] = await grow({ name: 'x', sizes: [10], rounds: 5, boundMs: 1e-6, measure }, gaps);
    expect(asked).toEqual([10]);
    expect(line?.points[0]?.value.rounds).toEqual([1]);
    expect(gaps).toMatchObject([{ name: 'x, 10', reason: expect.stringContaining('1 of 5 rounds') }]);
  });
});
