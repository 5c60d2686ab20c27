import { withDue, withoutEarliest, type DueHeap } from '../../state/collections/due-heap.js';

/** A queue of branches to look at, in the order of their declaration; each comes up once, however often it was added. */
export class IndexQueue {
  /** Begins with the range from `from` to before `to`, which costs nothing until it is taken. */
  constructor(
    private from = 0,
    private readonly to = 0,
    /** The heap is shared with copies: adding or taking a branch costs the logarithm of its size. */
    private added: DueHeap | null = null,
  ) {}

  take(): number | undefined {
    const first = this.added?.id;
    if (first === undefined || (first >= this.from && this.from < this.to)) {
      return this.from < this.to ? this.from++ : undefined;
    }
    while (this.added?.id === first) this.added = withoutEarliest(this.added);
    return first;
  }

  add(index: number): void {
    if (index >= this.from && index < this.to) return;
    this.added = withDue(this.added, index, index);
  }

  copy(): IndexQueue {
    return new IndexQueue(this.from, this.to, this.added);
  }
}
