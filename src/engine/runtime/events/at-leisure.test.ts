import { ManualClock } from '../../testing/manual-clock.js';
import { AtLeisure } from './at-leisure.js';

/** A process that is as busy as a test says. */
const loadOf = (share: number) => ({ measure: () => () => share });
const turns = async (count: number) => {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('work at leisure', () => {
  it('is done piece by piece, in the order in which it came', async () => {
    const leisure = new AtLeisure(new ManualClock(), loadOf(0));
    const done: number[] = [];
    let underWay = 0;
    const piece = (n: number) => async () => {
      underWay += 1;
      expect(underWay).toBe(1);
      await turns(1);
      underWay -= 1;
      done.push(n);
      return n;
    };
    expect(await Promise.all([1, 2, 3].map((n) => leisure.run(piece(n))))).toEqual([1, 2, 3]);
    expect(await leisure.run(piece(4))).toBe(4);
    expect(done).toEqual([1, 2, 3, 4]);
  });

  it('goes on after a piece that failed, whose fault is told to whoever asked for it', async () => {
    const leisure = new AtLeisure(new ManualClock(), loadOf(0));
    const failing = leisure.run(() => Promise.reject(new Error('the disk')));
    const next = leisure.run(() => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('the disk');
    expect(await next).toBe('done');
  });

  it('rests under load, nineteen times as long as it worked, and not when all is over', async () => {
    const clock = new ManualClock();
    const leisure = new AtLeisure(clock, loadOf(1));
    /** Works for so long by the clock. */
    const work = (ms: number) => async () => clock.advance(ms);
    await leisure.run(work(60));
    await turns(5);
    const next = leisure.run(() => Promise.resolve('now'));
    const startedAt = clock.now();
    const done = next.then(() => true);
    while (!(await Promise.race([done, turns(3).then(() => false)]))) await clock.advance(10);
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(19 * 60);
    leisure.close();
    await leisure.run(work(60));
    await turns(5);
    expect(await leisure.run(() => Promise.resolve('at once'))).toBe('at once');
  });
});
