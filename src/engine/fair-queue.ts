/**
 * What waits for something that does one thing after another, shared by who asked for it.
 *
 * 1. Callers take turns: of one the first is next that came first, and everybody else comes before its second, also where its
 *    first was taken before anybody else came.
 * 2. What waits has a bound. Beyond it the newest goes of whoever has most waiting: nobody else is turned away for them.
 */
export class FairQueue<Item> {
  /** By caller; the one whose turn is next stands first. None is empty. */
  private readonly waiting = new Map<string, Item[]>();
  private count = 0;
  private lastCaller: string | null = null;

  constructor(private readonly capacity: number) {}

  get length(): number {
    return this.count;
  }

  /** Answers what has to go, which may be this one; undefined: there was room. */
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

  /** The next one, which waits no more; undefined: there is none. */
  take(): Item | undefined {
    this.letOthersGoFirst();
    const [first] = this.waiting;
    if (first === undefined) return undefined;
    const [caller, items] = first;
    this.lastCaller = caller;
    const next = items.shift();
    // To the end: the others come before it does again.
    this.waiting.delete(caller);
    if (items.length > 0) this.waiting.set(caller, items);
    this.count -= 1;
    return next;
  }

  /** Whoever had the last turn and asked again since, before the others came. */
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
