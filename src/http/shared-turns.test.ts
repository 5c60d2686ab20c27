import { SharedTurns } from './shared-turns.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('pieces are done in order, as many as allowed per round of the event loop', async () => {
  const turns = new SharedTurns(4);
  const read: number[] = [];
  for (let body = 0; body < 6; body++) turns.next(() => read.push(body));
  expect(read).toEqual([]);
  await turn();
  expect(read).toEqual([0, 1, 2, 3]);
  turns.next(() => read.push(6));
  await turn();
  expect(read).toEqual([0, 1, 2, 3, 4, 5, 6]);
  turns.next(() => read.push(7));
  await turn();
  expect(read.at(-1)).toBe(7);
});
