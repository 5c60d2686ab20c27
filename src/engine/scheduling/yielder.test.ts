import { Yielder } from './yielder.js';

const loop = () => new Promise((resolve) => setImmediate(resolve));

it('pieces are done in turn, as many as may be between two looks at everybody else', async () => {
  const yielder = new Yielder({ rounds: 1, atOnce: 4 });
  const read: number[] = [];
  const next = (body: number) => void yielder.next().then(() => read.push(body));
  for (let body = 0; body < 6; body++) next(body);
  expect(read).toEqual([]);
  await loop();
  expect(read).toEqual([0, 1, 2, 3]);
  next(6);
  await loop();
  expect(read).toEqual([0, 1, 2, 3, 4, 5, 6]);
  next(7);
  await loop();
  expect(read.at(-1)).toBe(7);
});

it('work goes on after so many rounds of the loop, and not before', async () => {
  const yielder = new Yielder({ rounds: 3 });
  let gone = 0;
  void yielder.next().then(() => (gone += 1));
  void yielder.next().then(() => (gone += 1));
  const after: number[] = [];
  for (let round = 0; round < 7; round++) {
    await loop();
    after.push(gone);
  }
  expect(after).toEqual([0, 0, 1, 1, 1, 2, 2]);
});
