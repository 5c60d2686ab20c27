/**
 * Instants at which something moves by itself (a wait of a run, a whole run), earliest first: an immutable leftist
 * heap, so that adding one, or taking away the earliest, shares all but log n nodes with the heap before. Null is the
 * empty heap.
 *
 * Every path to the right is the shortest way out of its subtree (`rank` nodes), which bounds `merged` by log n.
 */
export interface DueHeap<Id extends number | string = number> {
  /** Epoch ms. */
  readonly dueAt: number;
  readonly id: Id;
  readonly rank: number;
  readonly left: DueHeap<Id> | null;
  readonly right: DueHeap<Id> | null;
}

export function withDue<Id extends number | string>(
  heap: DueHeap<Id> | null,
  dueAt: number,
  id: Id,
): DueHeap<Id> {
  return merged(heap, { dueAt, id, rank: 1, left: null, right: null });
}

export function withoutEarliest<Id extends number | string>({
  left,
  right,
}: DueHeap<Id>): DueHeap<Id> | null {
  return right === null ? left : merged(left, right);
}

/** Visits entries from the earliest on; where `visit` returns false, the entries below that one are skipped. */
export function visitDue<Id extends number | string>(
  heap: DueHeap<Id> | null,
  visit: (dueAt: number, id: Id) => boolean,
): void {
  const open = heap === null ? [] : [heap];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!visit(node.dueAt, node.id)) continue;
    if (node.left !== null) open.push(node.left);
    if (node.right !== null) open.push(node.right);
  }
}

function merged<Id extends number | string>(a: DueHeap<Id> | null, b: DueHeap<Id>): DueHeap<Id> {
  if (a === null) return b;
  const isFirst = a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.id <= b.id);
  const first = isFirst ? a : b;
  const second = isFirst ? b : a;
  const { dueAt, id, left } = first;
  const rest = merged(first.right, second);
  const rank = left?.rank ?? 0;
  if (rank >= rest.rank) return { dueAt, id, rank: rest.rank + 1, left, right: rest };
  return { dueAt, id, rank: rank + 1, left: rest, right: left };
}
