import { inTurn, type Progress } from './in-turn.js';

async function after(
  items: readonly string[],
  act: (item: string) => Promise<unknown>,
  stopAfter = Infinity,
) {
  const seen: Progress[] = [];
  await inTurn(items, act, {
    isStopped: () => seen.length > stopAfter,
    onProgress: (progress) => seen.push(progress),
  });
  return seen;
}

it('acts upon one after the other, and says how far it is', async () => {
  const acted: string[] = [];
  const seen = await after(['a', 'b'], async (item) => acted.push(item));
  expect(acted).toEqual(['a', 'b']);
  expect(seen.map(({ done, isOver }) => [done, isOver])).toEqual([
    [0, false],
    [1, false],
    [2, false],
    [2, true],
  ]);
});

it('goes on after one that is refused, and keeps why', async () => {
  const fault = new Error('it is over');
  const seen = await after(['a', 'b', 'c'], (item) =>
    item === 'b' ? Promise.reject(fault) : Promise.resolve(),
  );
  expect(seen.at(-1)).toEqual({ all: 3, done: 2, refused: 1, lastFault: fault, isOver: true });
});

it('can be stopped between two', async () => {
  const seen = await after(['a', 'b', 'c'], () => Promise.resolve(), 1);
  expect(seen.at(-1)).toEqual({ all: 3, done: 1, refused: 0, lastFault: null, isOver: true });
});
