import { PriorityHeap, type Prioritized } from './priority-heap.js';

class Entry<Item> implements Prioritized {
  since = 0;
  index = -1;

  constructor(
    public weight: number,
    readonly item: Item,
  ) {}
}

/**
 * What waits for something that does one thing after another, in rounds of those who asked for it.
 *
 * 1. In a round each caller has one item taken, also where its first was taken before anybody else came.
 * 2. Of one caller the item of the lowest rank is next, of those of one rank the one that waits longest.
 * 3. What waits has a bound. Beyond it the newest item of the caller that has most waiting goes: nobody else is turned away for it.
 */
export class FairQueue<Item> {
  /** By caller; the one whose item is next stands first. None is empty. */
  private readonly waiting = new Map<string, PriorityHeap<Entry<Item>>>();
  private count = 0;
  private lastCaller: string | null = null;

  constructor(private readonly capacity = Infinity) {}

  get length(): number {
    return this.count;
  }

  /** Returns the item that has to go, which may be this one; undefined: none has to. */
  add(caller: string, item: Item, rank = 0): Item | undefined {
    const own = this.waiting.get(caller);
    const removed = this.count < this.capacity ? undefined : this.removeFor(own?.size ?? 0);
    if (removed === 'none') return item;
    const entries = own ?? new PriorityHeap<Entry<Item>>();
    entries.add(new Entry(rank, item));
    this.waiting.set(caller, entries);
    this.count += 1;
    return removed?.item;
  }

  /** The caller is served without having waited: the others come before it does again. */
  pass(caller: string): void {
    this.lastCaller = caller;
  }

  /** The next one, which waits no more; undefined: there is none. */
  take(): Item | undefined {
    this.letOthersGoFirst();
    const [first] = this.waiting;
    if (first === undefined) return undefined;
    const [caller, entries] = first;
    this.lastCaller = caller;
    const next = entries.first;
    if (next !== undefined) this.remove(caller, entries, next);
    // To the end: the others come before it does again.
    if (this.waiting.delete(caller)) this.waiting.set(caller, entries);
    return next?.item;
  }

  /** The caller of the last item, if it asked again before the others came. */
  private letOthersGoFirst(): void {
    const [first] = this.waiting;
    if (first === undefined || first[0] !== this.lastCaller) return;
    this.waiting.delete(first[0]);
    this.waiting.set(...first);
  }

  /** Makes space for one more of a caller that has so many; `none`: no other has more. */
  private removeFor(count: number): Entry<Item> | 'none' {
    let most: [string, PriorityHeap<Entry<Item>>] | undefined;
    for (const entry of this.waiting) {
      if (most === undefined || entry[1].size > most[1].size) most = entry;
    }
    const newest = most?.[1].newest;
    if (most === undefined || newest === undefined || most[1].size <= count + 1) return 'none';
    this.remove(...most, newest);
    return newest;
  }

  private remove(caller: string, entries: PriorityHeap<Entry<Item>>, entry: Entry<Item>): void {
    entries.remove(entry);
    this.count -= 1;
    if (entries.size === 0) this.waiting.delete(caller);
  }
}
