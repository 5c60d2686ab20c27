import fc from 'fast-check';
import { callerIn } from '../caller.js';
import { FairQueue } from './fair-queue.js';

function taken(queue: FairQueue<string>): string[] {
  const all: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) all.push(next);
  return all;
}

it('lets callers take turns, each in the order of its own', () => {
  const queue = new FairQueue<string>(9);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.charAt(0), item);
  expect(taken(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('takes the lowest rank of a caller first, and those of one rank as they came', () => {
  const queue = new FairQueue<string>();
  for (const [item, rank] of [
    ['a1', 1],
    ['a2', 0],
    ['b1', 5],
    ['a3', 1],
    ['a4', 0],
  ] as const)
    queue.add(item.charAt(0), item, rank);
  expect(taken(queue)).toEqual(['a2', 'b1', 'a4', 'a1', 'a3']);
});

it('has one that came just now wait for what is under way and no other of the same caller', () => {
  const queue = new FairQueue<string>(9);
  for (const item of ['a1', 'a2', 'a3', 'a4']) queue.add('a', item);
  expect(queue.take()).toBe('a1');
  queue.add('b', 'b1');
  expect(taken(queue)).toEqual(['b1', 'a2', 'a3', 'a4']);
});

it('turns the newest of whoever has most away once it is full', () => {
  const queue = new FairQueue<string>(4);
  for (const item of ['a1', 'a2', 'a3', 'b1']) expect(queue.add(item.charAt(0), item)).toBeUndefined();
  expect(queue.add('c', 'c1')).toBe('a3');
  expect(queue.add('a', 'a4')).toBe('a4');
  expect(queue.add('b', 'b2')).toBe('b2');
  expect(queue.add('d', 'd1')).toBe('a2');
  expect(queue.add('e', 'e1')).toBe('e1');
  expect(taken(queue)).toEqual(['a1', 'b1', 'c1', 'd1']);
});

it('loses nothing, keeps its bound, and has nobody wait for two of another', () => {
  const caller = fc.constantFrom('a', 'b', 'c', 'd');
  fc.assert(
    fc.property(fc.array(fc.oneof(caller, fc.constant(null)), { maxLength: 60 }), (steps) => {
      const queue = new FairQueue<string>(5);
      const held: string[] = [];
      for (const [n, who] of steps.entries()) {
        if (who === null) {
          const next = queue.take();
          expect(next === undefined).toBe(held.length === 0);
          if (next !== undefined) held.splice(held.indexOf(next), 1);
          continue;
        }
        const item = `${who}${n}`;
        held.push(item);
        const removed = queue.add(who, item);
        if (removed !== undefined) held.splice(held.indexOf(removed), 1);
        expect(queue.length).toBe(held.length);
        expect(queue.length).toBeLessThanOrEqual(5);
      }
      const order = taken(queue);
      expect(order.toSorted()).toEqual(held.toSorted());
      const callers = new Set(order.map((item) => item.charAt(0)));
      const firsts = order.slice(0, callers.size).map((item) => item.charAt(0));
      expect(new Set(firsts)).toEqual(callers);
    }),
  );
});

/** Items such as `a1/3`: the third of the caller 1 in the namespace a. */
const addAll = (queue: FairQueue<string>, items: readonly string[]) =>
  items.map((item) => queue.add(callerIn(item.charAt(0), item.charAt(1)), item));

it('lets namespaces take turns first, and the callers of each in turns of its own', () => {
  const queue = new FairQueue<string>();
  addAll(queue, ['a1/1', 'a1/2', 'a2/1', 'a3/1', 'a1/3', 'b1/1', 'b1/2', 'b1/3']);
  expect(taken(queue)).toEqual(['a1/1', 'b1/1', 'a2/1', 'b1/2', 'a3/1', 'b1/3', 'a1/2', 'a1/3']);
});

it('turns somebody of the namespace that has most away once it is full, whoever asks most there', () => {
  const queue = new FairQueue<string>(6);
  addAll(queue, ['a1/1', 'a2/1', 'a2/2', 'a3/1', 'b1/1', 'b1/2']);
  expect(addAll(queue, ['c1/1'])).toEqual(['a2/2']);
  // Who is of a namespace that has as much as any other has room made within it alone.
  expect(addAll(queue, ['a4/1', 'b1/3', 'b2/1'])).toEqual(['a4/1', 'b1/3', 'b1/2']);
  expect(taken(queue)).toEqual(['a1/1', 'b1/1', 'c1/1', 'a2/1', 'b2/1', 'a3/1']);
});

it('gives a namespace half of what there is, however many callers another has', () => {
  const names = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.nat({ max: 9 })), { maxLength: 80 });
  fc.assert(
    fc.property(names, (waiting) => {
      const queue = new FairQueue<string>();
      for (const [namespace, who] of waiting) queue.add(callerIn(namespace, `${who}`), namespace);
      const order = taken(queue);
      expect(order.toSorted()).toEqual(waiting.map(([namespace]) => namespace).toSorted());
      const least = Math.min(...['a', 'b'].map((name) => order.filter((one) => one === name).length));
      const shared = order.slice(0, 2 * least);
      expect(shared.filter((one) => one === 'a')).toHaveLength(least);
    }),
  );
});
