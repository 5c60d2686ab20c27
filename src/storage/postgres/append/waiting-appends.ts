import { FairQueue } from '../../../engine/scheduling/queues/fair-queue.js';
import { isImport, isLarge, type Append } from './append-rows.js';

/** A larger group would make everyone in it wait, and hold more rows locked. */
const MAX_GROUP_APPENDS = 512;
const MAX_GROUP_CHARS = 4 * 1024 * 1024;

export interface WithAppend {
  readonly append: Append;
}

interface Entry<Item> {
  readonly item: Item;
  /** How many of those that were added before it are in its way. */
  before: number;
  /** Those that it is in the way of. */
  readonly after: Entry<Item>[];
}

/**
 * Appends that wait to be written, handed out in groups, as a statement takes them.
 *
 * 1. What depends on another append comes after it is settled, in the order in which they were added: appends of one run, or with
 *    one key; a fork and its source, in both directions, since a statement cannot lock a row that it changes; a child's first
 *    append, which copies the root of its family from its parent. All others are independent of one another.
 * 2. A group is bounded. What is more is shared in rounds: each workflow has one of its appends in the group before any has its
 *    next.
 * 3. A large append, and any import, is a group by itself; of these, too, each workflow has one before any has its next.
 */
export class WaitingAppends<Item extends WithAppend> {
  private readonly small = new FairQueue<Entry<Item>>();
  private smallChars = 0;
  private readonly large = new FairQueue<Entry<Item>>();
  /** The last append, not settled yet, that changes what has the name. */
  private readonly lastOf = new Map<string, Entry<Item>>();
  private readonly entryOf = new Map<Item, Entry<Item>>();

  /** How many are not settled yet, be they handed out or not. */
  get size(): number {
    return this.entryOf.size;
  }

  get hasSmall(): boolean {
    return this.small.length > 0;
  }

  /** Whether small ones wait for more than a group. */
  get isFull(): boolean {
    return this.small.length >= MAX_GROUP_APPENDS || this.smallChars >= MAX_GROUP_CHARS;
  }

  get hasLarge(): boolean {
    return this.large.length > 0;
  }

  add(item: Item): void {
    const entry: Entry<Item> = { item, before: 0, after: [] };
    this.entryOf.set(item, entry);
    const { append } = item;
    if (append.expectedSeq === 0 && append.row.parentRunId !== null)
      this.follow(append.row.parentRunId, entry);
    for (const name of namesOf(append)) {
      this.follow(name, entry);
      this.lastOf.set(name, entry);
    }
    if (entry.before === 0) this.enqueue(entry);
  }

  /** As many small ones as one statement takes; none, where none waits. */
  takeSmall(): readonly Item[] {
    const group: Item[] = [];
    let chars = 0;
    while (group.length < MAX_GROUP_APPENDS && chars < MAX_GROUP_CHARS) {
      const entry = this.small.take();
      if (entry === undefined) break;
      group.push(entry.item);
      chars += entry.item.append.chars;
    }
    this.smallChars -= chars;
    return group;
  }

  takeLarge(): readonly Item[] {
    const entry = this.large.take();
    return entry === undefined ? [] : [entry.item];
  }

  /** The append was written, or refused, or failed: what waits for it may be written. */
  settle(item: Item): void {
    const entry = this.entryOf.get(item);
    if (entry === undefined) return;
    this.entryOf.delete(item);
    for (const name of namesOf(item.append)) {
      if (this.lastOf.get(name) === entry) this.lastOf.delete(name);
    }
    for (const next of entry.after) {
      next.before -= 1;
      if (next.before === 0) this.enqueue(next);
    }
  }

  private follow(name: string, entry: Entry<Item>): void {
    const last = this.lastOf.get(name);
    if (last === undefined || last === entry) return;
    last.after.push(entry);
    entry.before += 1;
  }

  private enqueue(entry: Entry<Item>): void {
    const { append } = entry.item;
    const isAlone = isLarge(append) || isImport(append);
    // No id holds a line break.
    (isAlone ? this.large : this.small).add(`${append.row.namespace}\n${append.row.workflowId}`, entry);
    if (!isAlone) this.smallChars += append.chars;
  }
}

/** What the append changes, or must not be changed together with it. */
function namesOf({ runId, expectedSeq, keys, row }: Append): readonly string[] {
  const isFork = expectedSeq === 0 && row.forkedFrom !== null;
  if (keys.length === 0 && !isFork) return [runId];
  const names = [runId, ...keys.map(({ scope, key }) => `${scope}\n${key}`)];
  if (isFork && row.forkedFrom !== null) names.push(row.forkedFrom);
  return names;
}
