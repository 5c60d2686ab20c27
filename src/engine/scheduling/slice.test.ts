import { eachInSlices, inSlices, Slice } from './slice.js';
import { longWork, Yielder } from './yielder.js';

/** How often the event loop comes round until `isOver`; what `each` answers is gathered. */
async function roundsUntil<T>(isOver: () => boolean, each: () => T): Promise<T[]> {
  const seen: T[] = [];
  while (!isOver()) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(each());
  }
  return seen;
}

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('long work', () => {
  it('leaves the loop to others for several rounds between two slices, however many do such work', async () => {
    let slices = 0;
    let atWork = 10;
    const work = async (): Promise<void> => {
      for (let slice = 0; slice < 3; slice++) {
        await longWork.next();
        slices += 1;
      }
      atWork -= 1;
    };
    const all = Promise.all(Array.from({ length: 10 }, work));
    const after = await roundsUntil(
      () => atWork === 0,
      () => slices,
    );
    await all;
    expect(slices).toBe(30);
    const most = after.slice(8).map((count, round) => count - after[round]!);
    expect(Math.max(...most)).toBeLessThanOrEqual(2);
  });

  it('that is short is done at once', () => {
    function* short() {
      yield;
      return 'done';
    }
    expect(inSlices(short())).toBe('done');
  });

  it('that is long is done slice by slice, and comes to the same', async () => {
    function* long() {
      for (let step = 0; step < 4; step++) {
        spin(3);
        yield;
      }
      return 'done';
    }
    const others: number[] = [];
    const done = inSlices(long());
    expect(done).toBeInstanceOf(Promise);
    setImmediate(() => others.push(1));
    expect(await done).toBe('done');
    expect(others).toEqual([1]);
  });

  it('makes one thing of each item, in their order', async () => {
    const made = await eachInSlices([1, 2, 3], async (item) => {
      spin(3);
      return item * 2;
    });
    expect(made).toEqual([2, 4, 6]);
  });
});

it('a slice is over after some milliseconds, or before the first step where work has to wait for it', async () => {
  const slice = new Slice();
  expect(slice.isOver).toBe(false);
  spin(5);
  expect(slice.isOver).toBe(true);
  await slice.next();
  expect(slice.isOver).toBe(false);
  expect(new Slice(new Yielder({ rounds: 1 }), { isOver: true }).isOver).toBe(true);
});
