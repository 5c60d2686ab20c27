import { withDue, withoutEarliest, type DueHeap } from '../../core/state/collections/due-heap.js';

/**
 * How much of the event loop somebody has used, and who below them waits for more of it: namespaces have owners, owners workflows,
 * and workflows runs, each of which waits by a ticket.
 */
export class TimeShare<Waiting extends number | string = string> {
  /** Ms used, on top of the least that its siblings had used when it joined. */
  had: number;
  /** What the one below that was served last had used: who joins begins there, or idle time would count as credit. */
  least = 0;
  /** Those below that wait, by what they have used. */
  private waiting: DueHeap<Waiting> | null = null;
  /** Whether it is in the queue of what is above it. */
  isQueued = false;

  constructor(
    readonly name: string,
    least: number,
  ) {
    this.had = least;
  }

  get isIdle(): boolean {
    return this.waiting === null;
  }

  /** Counts ms that it used, of which what is above has `least`. */
  charge(ms: number, least: number): void {
    if (ms > 0) this.had = Math.max(this.had, least) + ms;
  }

  add(had: number, waiting: Waiting): void {
    this.waiting = withDue(this.waiting, had, waiting);
  }

  /** The one that has used the least, which waits no more; undefined: none waits. */
  take(): Waiting | undefined {
    const { waiting } = this;
    if (waiting === null) return undefined;
    this.waiting = withoutEarliest(waiting);
    this.least = Math.max(this.least, waiting.dueAt);
    return waiting.id;
  }
}

/** What has others below it, by their names. */
export class SharedTime<Below extends TimeShare<number | string>> extends TimeShare {
  private readonly below = new Map<string, Below>();

  constructor(
    name: string,
    least: number,
    private readonly make: (name: string, least: number) => Below,
  ) {
    super(name, least);
  }

  get size(): number {
    return this.below.size;
  }

  of(name: string): Below {
    let known = this.below.get(name);
    if (known === undefined) {
      known = this.make(name, this.least);
      this.below.set(name, known);
    }
    return known;
  }

  /** Has the one below wait for its turn, unless it does, or nothing below it waits. */
  queue(below: Below): void {
    if (below.isQueued || below.isIdle) return;
    below.had = Math.max(below.had, this.least);
    below.isQueued = true;
    this.add(below.had, below.name);
  }

  /** The one below that is served next; undefined: none waits. */
  next(): Below | undefined {
    const name = this.take();
    const next = name === undefined ? undefined : this.below.get(name);
    if (next !== undefined) next.isQueued = false;
    return next;
  }

  forget(): void {
    this.below.clear();
  }
}
