import { StartPlaces } from './start-places.js';

/** Asks for places one after another and notes who is let in; whoever is in leaves when told. */
class Asking {
  readonly entered: string[] = [];
  private readonly leave: (() => void)[] = [];

  constructor(private readonly places: StartPlaces) {}

  ask(workflow: string, depth: number, name = `${workflow}${depth}`): void {
    void this.places.run(workflow, depth, async () => {
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

describe('the places in which children are started', () => {
  it('lets in so many at once, and one for each that leaves', async () => {
    const asking = new Asking(new StartPlaces(2));
    for (const name of ['a', 'b', 'c', 'd']) asking.ask('one', 1, name);
    expect(asking.entered).toEqual(['a', 'b']);
    expect(await asking.allLeave()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('begins a tree branch by branch: the deepest first, those of one depth as they came', async () => {
    const asking = new Asking(new StartPlaces(1));
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

  it('lets workflows take turns, however deep the one of them is', async () => {
    const asking = new Asking(new StartPlaces(1));
    for (const depth of [1, 2, 3, 4]) asking.ask('tree', depth);
    for (const name of ['x', 'y']) asking.ask('flat', 1, name);
    expect(await asking.allLeave()).toEqual(['tree1', 'tree4', 'x', 'tree3', 'y', 'tree2']);
  });

  it('gives the place of one that failed to the next', async () => {
    const places = new StartPlaces(1);
    const failing = places.run('one', 1, () => Promise.reject(new Error('broken')));
    const next = places.run('one', 1, () => Promise.resolve('in'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('in');
    expect(await places.run('one', 1, () => Promise.resolve('again'))).toBe('again');
  });
});
