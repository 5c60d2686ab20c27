import fc from 'fast-check';
import { visitDue, withDue, withoutEarliest, type DueHeap } from './due-heap.js';

const instants = fc.array(fc.nat(50), { maxLength: 200 });

function heapOf(dues: readonly number[]): DueHeap | null {
  return dues.reduce<DueHeap | null>((heap, dueAt, id) => withDue(heap, dueAt, id), null);
}

/** How far it is to the right end: what adding and taking away costs. */
function rightSpine(heap: DueHeap | null): number {
  return heap === null ? 0 : 1 + rightSpine(heap.right);
}

describe('a heap of due instants', () => {
  it('gives them back earliest first, and of the same instant the one that was opened first', () => {
    fc.assert(
      fc.property(instants, (dues) => {
        const taken: [number, number][] = [];
        for (let heap = heapOf(dues); heap !== null; heap = withoutEarliest(heap)) {
          taken.push([heap.dueAt, heap.id]);
        }
        const expected = dues.map((dueAt, id): [number, number] => [dueAt, id]);
        expect(taken).toEqual(expected.sort(([a, i], [b, j]) => a - b || i - j));
      }),
    );
  });

  it('is not changed by what is added to it or taken away', () => {
    fc.assert(
      fc.property(instants, (dues) => {
        const heap = heapOf(dues);
        const before = JSON.stringify(heap);
        withDue(heap, 7, -1);
        if (heap !== null) withoutEarliest(heap);
        expect(JSON.stringify(heap)).toBe(before);
      }),
    );
  });

  it('visits what is due by an instant, and nothing after it', () => {
    fc.assert(
      fc.property(instants, fc.nat(50), (dues, by) => {
        const visited: number[] = [];
        let passed = 0;
        visitDue(heapOf(dues), (dueAt) => {
          if (dueAt > by) {
            passed++;
            return false;
          }
          visited.push(dueAt);
          return true;
        });
        expect(visited.sort((a, b) => a - b)).toEqual(dues.filter((due) => due <= by).sort((a, b) => a - b));
        expect(passed).toBeLessThanOrEqual(visited.length + 1);
      }),
    );
  });

  it('stays shallow to the right, in whatever order they come', () => {
    for (const order of [(i: number) => i, (i: number) => -i, (i: number) => (i * 7_919) % 10_007]) {
      const heap = heapOf(Array.from({ length: 10_000 }, (_, i) => order(i)));
      expect(rightSpine(heap)).toBeLessThanOrEqual(14);
    }
  });
});
