import { ManualClock } from '../testing/manual-clock.js';
import { BackgroundWork } from './background-work.js';
import { callerIn } from './caller.js';

/** A process that is as busy as a test says. */
const loadOf = (share: number) => ({ measure: () => () => share });
const ticks = async (count: number) => {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('background work', () => {
  it('is done piece by piece, in the order in which it came', async () => {
    const background = new BackgroundWork(new ManualClock(), loadOf(0));
    const done: number[] = [];
    let underWay = 0;
    const piece = (n: number) => async () => {
      underWay += 1;
      expect(underWay).toBe(1);
      await ticks(1);
      underWay -= 1;
      done.push(n);
      return n;
    };
    expect(await Promise.all([1, 2, 3].map((n) => background.run(piece(n))))).toEqual([1, 2, 3]);
    expect(await background.run(piece(4))).toBe(4);
    expect(done).toEqual([1, 2, 3, 4]);
  });

  it('is done in rounds of namespaces, and in each of its owners, however much one of them has waiting', async () => {
    const background = new BackgroundWork(new ManualClock(), loadOf(0));
    const done: string[] = [];
    const piece = (name: string) =>
      background.run(
        async () => {
          await ticks(1);
          done.push(name);
        },
        { caller: callerIn(name.charAt(0), name.charAt(1)) },
      );
    // The first one is begun before anybody else is there.
    await Promise.all(['a1', 'a1', 'a1', 'a1', 'a2', 'b1', 'b1', 'b1'].map(piece));
    expect(done).toEqual(['a1', 'b1', 'a1', 'b1', 'a2', 'b1', 'a1', 'a1']);
  });

  it('continues after a piece that failed, whose caller gets its fault', async () => {
    const background = new BackgroundWork(new ManualClock(), loadOf(0));
    const failing = background.run(() => Promise.reject(new Error('the disk')));
    const next = background.run(() => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('the disk');
    expect(await next).toBe('done');
  });

  it('takes breaks under load, nineteen times as long as it worked, and none once it is closed', async () => {
    const clock = new ManualClock();
    const background = new BackgroundWork(clock, loadOf(1));
    /** Work that takes so long by the clock. */
    const work = (ms: number) => async () => clock.advance(ms);
    await background.run(work(60));
    await ticks(5);
    const next = background.run(() => Promise.resolve('now'));
    const startedAt = clock.now();
    const done = next.then(() => true);
    while (!(await Promise.race([done, ticks(3).then(() => false)]))) await clock.advance(10);
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(19 * 60);
    background.close();
    await background.run(work(60));
    await ticks(5);
    expect(await background.run(() => Promise.resolve('at once'))).toBe('at once');
  });
});
