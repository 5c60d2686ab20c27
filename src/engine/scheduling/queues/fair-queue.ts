import { groupOf } from '../caller.js';
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
 * What waits for something that does one thing after another, in rounds of those who asked for it: of the groups that callers are in
 * (`groupOf`), and within a group of its callers.
 *
 * 1. In a round each group has one item taken, also where its first was taken before anybody else came; so have, in the rounds of a
 *    group, its callers.
 * 2. Of one caller the item of the lowest rank is next, of those of one rank the one that waits longest.
 * 3. What waits has a bound. Beyond it the newest item of the caller that has most waiting goes, in the group that has most: nobody
 *    else is turned away for it.
 */
export class FairQueue<Item> {
  private readonly groups = new Rounds<CallersInRounds<Item>>();
  private count = 0;

  constructor(private readonly capacity = Infinity) {}

  get length(): number {
    return this.count;
  }

  /** Returns the item that has to go, which may be this one; undefined: none has to. */
  add(caller: string, item: Item, rank = 0): Item | undefined {
    const group = groupOf(caller);
    const removed = this.count < this.capacity ? undefined : this.removeFor(group, caller);
    if (removed === 'none') return item;
    const callers = this.groups.of(group) ?? new CallersInRounds<Item>();
    callers.add(caller, new Entry(rank, item));
    this.groups.put(group, callers);
    this.count += 1;
    return removed?.item;
  }

  /** The caller is served without having waited: the others come before it does again. */
  pass(caller: string): void {
    const group = groupOf(caller);
    this.groups.pass(group);
    this.groups.of(group)?.pass(caller);
  }

  /** The next one, which waits no more; undefined: there is none. */
  take(): Item | undefined {
    const next = this.groups.next();
    if (next === undefined) return undefined;
    const [group, callers] = next;
    const entry = callers.take();
    this.forget(group, callers, entry);
    if (callers.size > 0) this.groups.toTheEnd(group);
    return entry?.item;
  }

  /** Makes space for one more of the caller; `none`: nobody has more. */
  private removeFor(group: string, caller: string): Entry<Item> | 'none' {
    const own = this.groups.of(group)?.size ?? 0;
    const [most, callers] = this.groups.largest() ?? [];
    if (most === undefined || callers === undefined) return 'none';
    const isOwn = callers.size <= own + 1;
    const from = isOwn ? this.groups.of(group) : callers;
    const entry = isOwn ? from?.newestOfMore(caller) : from?.newestOfMost();
    if (from === undefined || entry === undefined) return 'none';
    this.forget(isOwn ? group : most, from, entry);
    return entry;
  }

  private forget(group: string, callers: CallersInRounds<Item>, entry: Entry<Item> | undefined): void {
    if (entry !== undefined) this.count -= 1;
    if (callers.size === 0) this.groups.delete(group);
  }
}

interface Sized {
  readonly size: number;
}

/** Those who wait, by name, none of them with nothing; the one whose turn it is stands first. */
class Rounds<Waiting extends Sized> {
  private readonly waiting = new Map<string, Waiting>();
  private last: string | null = null;

  of(name: string): Waiting | undefined {
    return this.waiting.get(name);
  }

  /** To the end, unless it waits already. */
  put(name: string, waiting: Waiting): void {
    this.waiting.set(name, waiting);
  }

  pass(name: string): void {
    this.last = name;
  }

  /** Whose turn it is. */
  next(): [string, Waiting] | undefined {
    this.letOthersGoFirst();
    const [first] = this.waiting;
    if (first !== undefined) [this.last] = first;
    return first;
  }

  /** The others come before it does again. */
  toTheEnd(name: string): void {
    const waiting = this.waiting.get(name);
    if (waiting === undefined || !this.waiting.delete(name)) return;
    this.waiting.set(name, waiting);
  }

  delete(name: string): void {
    this.waiting.delete(name);
  }

  largest(): [string, Waiting] | undefined {
    let most: [string, Waiting] | undefined;
    for (const entry of this.waiting) if (most === undefined || entry[1].size > most[1].size) most = entry;
    return most;
  }

  /** The one that was served last, if it asked again before the others came. */
  private letOthersGoFirst(): void {
    const [first] = this.waiting;
    if (first === undefined || first[0] !== this.last) return;
    this.toTheEnd(first[0]);
  }
}

/** What the callers of one group have waiting. */
class CallersInRounds<Item> {
  size = 0;
  private readonly callers = new Rounds<PriorityHeap<Entry<Item>>>();

  add(caller: string, entry: Entry<Item>): void {
    const entries = this.callers.of(caller) ?? new PriorityHeap<Entry<Item>>();
    entries.add(entry);
    this.callers.put(caller, entries);
    this.size += 1;
  }

  pass(caller: string): void {
    this.callers.pass(caller);
  }

  take(): Entry<Item> | undefined {
    const next = this.callers.next();
    if (next === undefined) return undefined;
    const [caller, entries] = next;
    const { first } = entries;
    if (first !== undefined) this.remove(caller, entries, first);
    if (entries.size > 0) this.callers.toTheEnd(caller);
    return first;
  }

  /** The newest of the caller that has most. */
  newestOfMost(): Entry<Item> | undefined {
    const [caller, entries] = this.callers.largest() ?? [];
    const newest = entries?.newest;
    if (caller !== undefined && entries !== undefined && newest !== undefined)
      this.remove(caller, entries, newest);
    return newest;
  }

  /** The same, if it has more than this caller would have with one more. */
  newestOfMore(caller: string): Entry<Item> | undefined {
    const [, most] = this.callers.largest() ?? [];
    const own = this.callers.of(caller)?.size ?? 0;
    return most === undefined || most.size <= own + 1 ? undefined : this.newestOfMost();
  }

  private remove(caller: string, entries: PriorityHeap<Entry<Item>>, entry: Entry<Item>): void {
    entries.remove(entry);
    this.size -= 1;
    if (entries.size === 0) this.callers.delete(caller);
  }
}
