import { readPatiently } from './positions.js';

describe('a page of which something is held back', () => {
  function pages(heldBackTimes: number) {
    const waits: number[] = [];
    let reads = 0;
    const read = async () => {
      reads += 1;
      return { isHeldBack: reads <= heldBackTimes, reads };
    };
    const wait = async (ms: number): Promise<void> => void waits.push(ms);
    return { waits, read: () => readPatiently(read, wait) };
  }

  it('is read once where nothing is', async () => {
    const { waits, read } = pages(0);
    await expect(read()).resolves.toEqual({ isHeldBack: false, reads: 1 });
    expect(waits).toEqual([]);
  });

  it('is read again until it is there', async () => {
    const { waits, read } = pages(2);
    await expect(read()).resolves.toEqual({ isHeldBack: false, reads: 3 });
    expect(waits).toEqual([2, 4]);
  });

  it('is given as it is after some tens of milliseconds', async () => {
    const { waits, read } = pages(99);
    await expect(read()).resolves.toEqual({ isHeldBack: true, reads: 5 });
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(30);
  });
});
