import fc from 'fast-check';
import { Semaphore, type WaiterOptions } from './semaphore.js';

/** Asks for slots one after another and notes who is let in; whoever is in leaves when told. */
class Asking {
  readonly entered: string[] = [];
  private readonly leave: (() => void)[] = [];

  constructor(private readonly semaphore: Semaphore) {}

  get underWay(): number {
    return this.leave.length;
  }

  ask(name: string, waiter?: WaiterOptions): Promise<unknown> {
    return this.semaphore.run(async () => {
      this.entered.push(name);
      await new Promise<void>((resolve) => this.leave.push(resolve));
    }, waiter);
  }

  async oneLeaves(): Promise<void> {
    this.leave.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  async allLeave(): Promise<readonly string[]> {
    while (this.leave.length > 0) await this.oneLeaves();
    return this.entered;
  }
}

describe('the slots of a semaphore', () => {
  it('are so many at once, and each that comes free is for the next that waits', async () => {
    const asking = new Asking(new Semaphore(2));
    for (const name of ['a', 'b', 'c', 'd']) void asking.ask(name);
    expect(asking.entered).toEqual(['a', 'b']);
    expect(await asking.allLeave()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('go to the lowest rank of a caller first, those of one rank as they came', async () => {
    const asking = new Asking(new Semaphore(1));
    void asking.ask('root');
    for (const [rank, name] of [
      [2, 'a'],
      [1, 'b'],
      [2, 'c'],
      [1, 'd'],
      [0, 'e'],
    ] as const) {
      void asking.ask(name, { rank });
    }
    expect(await asking.allLeave()).toEqual(['root', 'e', 'b', 'd', 'a', 'c']);
  });

  it('go round callers, however low the ranks of one of them are', async () => {
    const asking = new Asking(new Semaphore(1));
    for (const rank of [-1, -2, -3, -4]) void asking.ask(`tree${-rank}`, { caller: 'tree', rank });
    for (const name of ['x', 'y']) void asking.ask(name, { caller: 'flat' });
    expect(await asking.allLeave()).toEqual(['tree1', 'x', 'tree4', 'y', 'tree3', 'tree2']);
  });

  it('are given to the next by work that failed', async () => {
    const semaphore = new Semaphore(1);
    const failing = semaphore.run(() => Promise.reject(new Error('broken')));
    const next = semaphore.run(() => Promise.resolve('in'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('in');
    expect(await semaphore.run(() => Promise.resolve('again'))).toBe('again');
  });

  it('are refused with what they are for where too many wait, and all that wait at the end', async () => {
    const semaphore = new Semaphore(1, { name: 'import of runs', maxWaiting: 1 });
    const asking = new Asking(semaphore);
    void asking.ask('in');
    const waits = asking.ask('waits');
    await expect(asking.ask('refused')).rejects.toThrow('import of runs');
    void waits.catch(() => undefined);
    expect(await asking.allLeave()).toEqual(['in', 'waits']);
    void asking.ask('in again');
    const late = asking.ask('late');
    semaphore.refuseWaiting(new Error('the end'));
    await expect(late).rejects.toThrow('the end');
    expect(await asking.allLeave()).toEqual(['in', 'waits', 'in again']);
  });

  it('are never more than there are, and lost to nobody, whoever comes and leaves', async () => {
    const step = fc.oneof(
      fc.record({ caller: fc.constantFrom('a', 'b', 'c'), rank: fc.integer({ min: 0, max: 3 }) }),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(step, { maxLength: 30 }),
        async (slots, steps) => {
          const asking = new Asking(new Semaphore(slots));
          let asked = 0;
          let left = 0;
          for (const waiter of steps) {
            if (waiter !== null) void asking.ask(String(asked++), waiter);
            else if (asking.underWay > 0) {
              left += 1;
              await asking.oneLeaves();
            }
            expect(asking.underWay).toBe(Math.min(slots, asked - left));
          }
          expect((await asking.allLeave()).toSorted()).toEqual(
            Array.from({ length: asked }, (_, n) => String(n)).toSorted(),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});
