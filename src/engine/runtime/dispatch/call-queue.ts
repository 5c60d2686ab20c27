import { visitDue, withDue, withoutEarliest, type DueHeap } from '../../core/state/collections/due-heap.js';
import type { Execution } from '../../core/waits/execution.js';

/**
 * The executions of one run that are to be called, in the order in which they came up; those that wait for a retry are
 * kept apart until it is due. Whether an execution is still open is for the caller to check.
 */
export class CallQueue {
  /** Executions that were deferred and may be called now: before all others. */
  private readonly first = new IdQueue();
  private readonly ready = new IdQueue();
  private retries: DueHeap | null = null;

  add({ id, retryAt }: Pick<Execution, 'id' | 'retryAt'>, now: number): void {
    if (retryAt <= now) this.ready.add(id);
    else this.retries = withDue(this.retries, retryAt, id);
  }

  /** Moves retries that are due to the end of the queue. */
  promote(now: number): void {
    while (this.retries !== null && this.retries.dueAt <= now) {
      this.ready.add(this.retries.id);
      this.retries = withoutEarliest(this.retries);
    }
  }

  addFirst(id: number): void {
    this.first.add(id);
  }

  /** The next id, without taking it; undefined when there is none. */
  peek(): number | undefined {
    return this.first.peek() ?? this.ready.peek();
  }

  take(): void {
    if (this.first.peek() === undefined) this.ready.take();
    else this.first.take();
  }

  /** All ids, in no order and possibly with duplicates. */
  ids(): readonly number[] {
    const ids = [...this.first.left(), ...this.ready.left()];
    visitDue(this.retries, (_dueAt, id) => ids.push(id) > 0);
    return ids;
  }

  clear(): void {
    this.first.clear();
    this.ready.clear();
    this.retries = null;
  }
}

/** Ids in the order in which they were added. */
class IdQueue {
  private ids: number[] = [];
  private next = 0;

  add(id: number): void {
    this.ids.push(id);
  }

  peek(): number | undefined {
    return this.ids[this.next];
  }

  take(): void {
    this.next++;
    // Compacted when half of it is spent: removing from the front would move the rest each time.
    if (this.next < 64 || this.next * 2 < this.ids.length) return;
    this.ids = this.ids.slice(this.next);
    this.next = 0;
  }

  left(): readonly number[] {
    return this.ids.slice(this.next);
  }

  clear(): void {
    this.ids = [];
    this.next = 0;
  }
}
