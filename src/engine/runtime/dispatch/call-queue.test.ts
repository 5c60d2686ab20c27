import type { Execution } from '../../core/waits/execution.js';
import { CallQueue } from './call-queue.js';

const NOW = 1_000;

function queueOf(...executions: readonly (readonly [id: number, retryAt: number])[]): CallQueue {
  const queue = new CallQueue();
  for (const [id, retryAt] of executions) queue.add({ id, retryAt } as Execution, NOW);
  return queue;
}

/** Takes all that is ready, in order. */
function takeAll(queue: CallQueue): readonly number[] {
  const taken: number[] = [];
  for (let id = queue.peek(); id !== undefined; id = queue.peek()) {
    taken.push(id);
    queue.take();
  }
  return taken;
}

describe('the executions of a run that are to be called', () => {
  it('come in the order in which they came up', () => {
    expect(takeAll(queueOf([3, 0], [1, 0], [2, 0]))).toEqual([3, 1, 2]);
    expect(takeAll(queueOf())).toEqual([]);
  });

  it('are not taken by looking', () => {
    const queue = queueOf([1, 0]);
    expect([queue.peek(), queue.peek()]).toEqual([1, 1]);
  });

  it('are kept apart until their retry is due, and then come last, the earliest first', () => {
    const queue = queueOf([1, NOW + 20], [2, NOW + 10], [3, NOW + 30], [4, 0]);
    expect(queue.peek()).toBe(4);
    queue.promote(NOW + 9);
    expect(takeAll(queue)).toEqual([4]);
    queue.promote(NOW + 10);
    expect(takeAll(queue)).toEqual([2]);
    queue.promote(NOW + 60);
    expect(takeAll(queue)).toEqual([1, 3]);
    queue.promote(NOW + 60);
    expect(takeAll(queue)).toEqual([]);
  });

  it('are ready at once when their retry is due at this instant', () => {
    expect(takeAll(queueOf([1, NOW], [2, NOW + 1]))).toEqual([1]);
  });

  it('are each taken once, however many there are and while more come up', () => {
    const queue = queueOf();
    const taken: number[] = [];
    for (let id = 0; id < 1_000; id += 1) {
      queue.add({ id, retryAt: 0 } as Execution, NOW);
      if (id % 3 !== 0) {
        taken.push(queue.peek()!);
        queue.take();
      }
    }
    taken.push(...takeAll(queue));
    expect(taken).toEqual(Array.from({ length: 1_000 }, (_, id) => id));
  });

  it('are all forgotten by a clear, also those that wait for a retry', () => {
    const queue = queueOf([1, 0], [2, NOW + 10], [3, 0]);
    queue.take();
    queue.clear();
    queue.promote(NOW + 10);
    expect(queue.peek()).toBeUndefined();
    queue.add({ id: 4, retryAt: 0 } as Execution, NOW);
    expect(takeAll(queue)).toEqual([4]);
  });

  it('come before all others when they were deferred and may be called now, in that order', () => {
    const queue = queueOf([1, 0], [2, 0]);
    queue.addFirst(7);
    queue.addFirst(8);
    expect(takeAll(queue)).toEqual([7, 8, 1, 2]);
    queue.addFirst(9);
    queue.clear();
    expect(queue.peek()).toBeUndefined();
  });
});
