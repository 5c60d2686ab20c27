import { withDue, withoutEarliest, type DueHeap } from '../../core/state/due-heap.js';
import type { Execution } from '../../core/waits/execution.js';

/**
 * The executions of one run that are to be called, in the order in which they came up; those that wait for a retry
 * stand apart until it is due. It only remembers: whether an execution is still open is for the caller to ask.
 */
export class CallQueue {
  private ready: number[] = [];
  private next = 0;
  private retries: DueHeap | null = null;

  add({ id, retryAt }: Pick<Execution, 'id' | 'retryAt'>, now: number): void {
    if (retryAt <= now) this.ready.push(id);
    else this.retries = withDue(this.retries, retryAt, id);
  }

  /** Retries whose time has come go to the end of the queue. */
  ripen(now: number): void {
    while (this.retries !== null && this.retries.dueAt <= now) {
      this.ready.push(this.retries.id);
      this.retries = withoutEarliest(this.retries);
    }
  }

  /** The id that is next, without taking it; undefined when none is. */
  peek(): number | undefined {
    return this.ready[this.next];
  }

  take(): void {
    this.next++;
    // In one go when half of it is spent: taking from the front would move the rest each time.
    if (this.next < 64 || this.next * 2 < this.ready.length) return;
    this.ready = this.ready.slice(this.next);
    this.next = 0;
  }

  clear(): void {
    this.ready = [];
    this.next = 0;
    this.retries = null;
  }
}
