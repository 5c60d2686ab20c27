import { inTurns, nextTurn } from './turns.js';

/** Counts the rounds of the event loop until `isOver`; gathers what `each` returns. */
async function roundsUntil<T>(isOver: () => boolean, each: () => T): Promise<T[]> {
  const seen: T[] = [];
  while (!isOver()) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(each());
  }
  return seen;
}

describe('long work', () => {
  it('leaves the event loop to others for several rounds between two slices, however much such work there is', async () => {
    let turns = 0;
    let atWork = 10;
    const work = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn++) {
        await nextTurn();
        turns += 1;
      }
      atWork -= 1;
    };
    const all = Promise.all(Array.from({ length: 10 }, work));
    const after = await roundsUntil(
      () => atWork === 0,
      () => turns,
    );
    await all;
    expect(turns).toBe(30);
    const most = after.slice(8).map((count, round) => count - after[round]!);
    expect(Math.max(...most)).toBeLessThanOrEqual(2);
  });

  it('that is short is done at once', () => {
    function* short() {
      yield;
      return 'done';
    }
    expect(inTurns(short())).toBe('done');
  });
});
