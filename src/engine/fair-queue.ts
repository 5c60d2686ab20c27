/**
 * A queue for something that does one thing after another, shared by its callers.
 *
 * 1. Callers are served in rounds: each caller's items in the order in which they came, and one of everybody else before its
 *    next, also where its last was taken before anybody else came.
 * 2. The queue has a capacity. Beyond it the newest item of the caller with the most items is turned away: no other caller
 *    loses one for it.
 */
export class FairQueue<Item> {
  /** The items by caller; the caller that is served next stands first. No list is empty. */
  private readonly waiting = new Map<string, Item[]>();
  private count = 0;
  private lastCaller: string | null = null;

  constructor(private readonly capacity: number) {}

  get length(): number {
    return this.count;
  }

  /** Returns the item that is turned away, which may be this one; undefined: there was capacity. */
  add(caller: string, item: Item): Item | undefined {
    const own = this.waiting.get(caller);
    let removed: Item | undefined;
    if (this.count >= this.capacity) {
      const [most, items] = this.longest() ?? [caller, []];
      if (items.length <= (own?.length ?? 0) + 1) return item;
      removed = items.pop();
      this.count -= 1;
      if (items.length === 0) this.waiting.delete(most);
    }
    if (own === undefined) this.waiting.set(caller, [item]);
    else own.push(item);
    this.count += 1;
    return removed;
  }

  /** Removes and returns the next item; undefined: there is none. */
  take(): Item | undefined {
    this.letOthersGoFirst();
    const [first] = this.waiting;
    if (first === undefined) return undefined;
    const [caller, items] = first;
    this.lastCaller = caller;
    const next = items.shift();
    // The caller goes to the end: the others are served before it is again.
    this.waiting.delete(caller);
    if (items.length > 0) this.waiting.set(caller, items);
    this.count -= 1;
    return next;
  }

  /** Moves the caller that was served last to the end, if it came again before the others. */
  private letOthersGoFirst(): void {
    const [first] = this.waiting;
    if (first === undefined || first[0] !== this.lastCaller) return;
    this.waiting.delete(first[0]);
    this.waiting.set(...first);
  }

  private longest(): [string, Item[]] | undefined {
    let longest: [string, Item[]] | undefined;
    for (const entry of this.waiting) {
      if (longest === undefined || entry[1].length > longest[1].length) longest = entry;
    }
    return longest;
  }
}
