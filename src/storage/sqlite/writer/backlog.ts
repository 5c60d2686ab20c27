import { FairQueue } from '../../../engine/scheduling/queues/fair-queue.js';
import { charsIn, type Operation } from '../operations/operation.js';

/** The workflow of an operation; null: it has none. */
export type Origin = { readonly namespace: string; readonly workflowId: string } | null;

export interface Queued {
  readonly operation: Operation;
  readonly origin: Origin;
}

/** A larger group would make everyone in it wait. */
const MAX_GROUP_OPERATIONS = 1_024;
const MAX_GROUP_CHARS = 8 * 1024 * 1024;
/** Whether so many operations and characters make a full group. */
export function isFull(operations: number, chars: number): boolean {
  return operations >= MAX_GROUP_OPERATIONS || chars >= MAX_GROUP_CHARS;
}

/** A longer operation is a group by itself, so that no other waits for it there. */
const LARGE_CHARS = 1024 * 1024;

/**
 * What waits to be written, handed out in groups.
 *
 * 1. All of it is the next group as long as that is within the bounds, as it nearly always is.
 * 2. What is more is shared in rounds: each namespace has one of its operations in the group before any has its next, and of one
 *    namespace each workflow has one of its operations in the group before any has its next. A run
 *    has one append under way at most, so the runs of a workflow are served in rounds, too.
 * 3. A large operation is a group by itself, and the others go between two of them: a small append waits for one large one,
 *    however many one caller writes. Of the large ones, that of the workflow comes next that was served least recently.
 */
export class Backlog<Item extends Queued> {
  private small: Item[] = [];
  private smallChars = 0;
  private readonly large = new FairQueue<Item>();
  private wasLarge = false;

  /** How many small operations wait. */
  get smallCount(): number {
    return this.small.length;
  }

  /** Whether the next group is a large one by itself. */
  get isLargeNext(): boolean {
    return this.large.length > 0 && (this.small.length === 0 || !this.wasLarge);
  }

  get isEmpty(): boolean {
    return this.small.length === 0 && this.large.length === 0;
  }

  add(item: Item): void {
    const chars = charsIn(item.operation);
    if (chars > LARGE_CHARS) {
      this.large.add(workflowOf(item), item);
      return;
    }
    this.small.push(item);
    this.smallChars += chars;
  }

  /** The group is empty only when nothing waits. */
  takeGroup(): readonly Item[] {
    this.wasLarge = this.isLargeNext;
    if (this.wasLarge) return this.takeLarge();
    if (this.small.length > MAX_GROUP_OPERATIONS || this.smallChars > MAX_GROUP_CHARS)
      return this.takeShared();
    const all = this.small;
    this.small = [];
    this.smallChars = 0;
    return all;
  }

  private takeLarge(): readonly Item[] {
    const next = this.large.take();
    return next === undefined ? [] : [next];
  }

  private takeShared(): readonly Item[] {
    const group = new Set<Item>();
    let chars = 0;
    for (const item of inTurns(this.small)) {
      if (isFull(group.size, chars)) break;
      group.add(item);
      chars += charsIn(item.operation);
    }
    this.small = this.small.filter((item) => !group.has(item));
    this.smallChars -= chars;
    return [...group];
  }
}

/** The first of each namespace, the second of each, and so on; those of one namespace are in the rounds of its workflows. */
function inTurns<Item extends Queued>(items: readonly Item[]): readonly Item[] {
  const ofNamespaces = Map.groupBy(items, ({ origin }) => origin?.namespace);
  const turns: Item[][] = [];
  for (const own of ofNamespaces.values())
    for (const [turn, item] of roundsOf(own).flat().entries()) (turns[turn] ??= []).push(item);
  return turns.flat();
}

/** The first of each workflow, the second of each, and so on; in a round, the one that waits longest is first. */
function roundsOf<Item extends Queued>(items: readonly Item[]): readonly (readonly Item[])[] {
  const rounds: Item[][] = [];
  const counts = new Map<string, number>();
  for (const item of items) {
    const workflow = workflowOf(item);
    const count = counts.get(workflow) ?? 0;
    counts.set(workflow, count + 1);
    (rounds[count] ??= []).push(item);
  }
  return rounds;
}

/** No id holds a line break. */
function workflowOf({ origin }: Queued): string {
  return origin === null ? '' : `${origin.namespace}\n${origin.workflowId}`;
}
