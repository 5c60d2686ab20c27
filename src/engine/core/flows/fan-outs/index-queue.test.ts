import { IndexQueue } from './index-queue.js';

function taken(queue: IndexQueue): readonly number[] {
  const indices: number[] = [];
  for (let index = queue.take(); index !== undefined; index = queue.take()) indices.push(index);
  return indices;
}

describe('branches that are to be looked at', () => {
  it('come as they are declared, each once, however they were added', () => {
    const queue = new IndexQueue();
    for (const index of [5, 1, 9, 5, 1, 0]) queue.add(index);
    expect(taken(queue)).toEqual([0, 1, 5, 9]);
  });

  it('come from a range, and before it what was added meanwhile', () => {
    const queue = new IndexQueue(3, 7);
    expect([queue.take(), queue.take()]).toEqual([3, 4]);
    for (const index of [6, 2, 9, 4]) queue.add(index);
    expect(taken(queue)).toEqual([2, 4, 5, 6, 9]);
  });
});
