import { withDue, withoutEarliest, type DueHeap } from '../state/due-heap.js';

/** Branches that are to be looked at, the one that is declared first first; each once while it waits. */
export class IndexQueue {
  /** From a whole range on, `to` left out; nothing of it is done before it is taken. */
  constructor(
    private from = 0,
    private readonly to = 0,
    /** Shared with copies: a branch that comes or goes costs the logarithm of those that wait. */
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
