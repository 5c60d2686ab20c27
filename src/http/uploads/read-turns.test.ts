import { ReadTurns } from './read-turns.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('long bodies are read from in turn, four between two looks at everybody else', async () => {
  const turns = new ReadTurns();
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
