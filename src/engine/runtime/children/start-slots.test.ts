import { StartSlots } from './start-slots.js';

/** Requests slots one after another and records which starts got one; they leave when the test says so. */
class Asking {
  readonly entered: string[] = [];
  private readonly leave: (() => void)[] = [];

  constructor(private readonly slots: StartSlots) {}

  ask(workflow: string, depth: number, name = `${workflow}${depth}`): void {
    void this.slots.run(workflow, depth, async () => {
      this.entered.push(name);
      await new Promise<void>((resolve) => this.leave.push(resolve));
    });
  }

  async allLeave(): Promise<readonly string[]> {
    for (let next = this.leave.shift(); next !== undefined; next = this.leave.shift()) {
      next();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return this.entered;
  }
}

describe('the slots in which children are started', () => {
  it('admit a fixed number at once, and one for each that leaves', async () => {
    const asking = new Asking(new StartSlots(2));
    for (const name of ['a', 'b', 'c', 'd']) asking.ask('one', 1, name);
    expect(asking.entered).toEqual(['a', 'b']);
    expect(await asking.allLeave()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('begin a tree branch by branch: the deepest first, those of one depth as they came', async () => {
    const asking = new Asking(new StartSlots(1));
    asking.ask('tree', 1, 'root');
    for (const [depth, name] of [
      [2, 'a'],
      [3, 'b'],
      [2, 'c'],
      [3, 'd'],
      [4, 'e'],
    ] as const) {
      asking.ask('tree', depth, name);
    }
    expect(await asking.allLeave()).toEqual(['root', 'e', 'b', 'd', 'a', 'c']);
  });

  it('serve workflows in rounds, however deep one of them is', async () => {
    const asking = new Asking(new StartSlots(1));
    for (const depth of [1, 2, 3, 4]) asking.ask('tree', depth);
    for (const name of ['x', 'y']) asking.ask('flat', 1, name);
    expect(await asking.allLeave()).toEqual(['tree1', 'tree4', 'x', 'tree3', 'y', 'tree2']);
  });

  it('give the slot of one that failed to the next', async () => {
    const slots = new StartSlots(1);
    const failing = slots.run('one', 1, () => Promise.reject(new Error('broken')));
    const next = slots.run('one', 1, () => Promise.resolve('in'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('in');
    expect(await slots.run('one', 1, () => Promise.resolve('again'))).toBe('again');
  });
});
