import { charsIn, type Operation } from './operation.js';

/** Of which workflow an operation is; null: of none. */
export type Origin = { readonly namespace: string; readonly workflowId: string } | null;

export interface Queued {
  readonly operation: Operation;
  readonly origin: Origin;
}

/** A larger group would make everyone in it wait. */
const MAX_GROUP_OPERATIONS = 1_024;
const MAX_GROUP_CHARS = 8 * 1024 * 1024;
/** Whether groups with so much in them make a full one together. */
export function isFull(operations: number, chars: number): boolean {
  return operations >= MAX_GROUP_OPERATIONS || chars >= MAX_GROUP_CHARS;
}

/** What is longer makes nobody wait in its own group. */
const LARGE_CHARS = 1024 * 1024;

/**
 * What waits to be written, handed out in groups.
 *
 * 1. All of it is the next group, as long as that is within the bounds: so it nearly always is.
 * 2. What is more is shared: each workflow has one of its operations in the group before any has its next. A run has one
 *    append under way at most, so its runs are served in turn by that.
 * 3. A large operation is a group by itself, and between two of them go the others: a small append waits for one large
 *    one, whoever writes how many. Of the large ones, that of the workflow comes next whose last one is longest ago.
 */
export class Backlog<Item extends Queued> {
  private small: Item[] = [];
  private smallChars = 0;
  private readonly large: Item[] = [];
  private wasLarge = false;
  /** Which of the large ones was the last of each workflow, while any wait. */
  private readonly lastTurns = new Map<string, number>();
  private turn = 0;

  /** How many of them are no large ones. */
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
      this.large.push(item);
      return;
    }
    this.small.push(item);
    this.smallChars += chars;
  }

  /** Empty only when nothing waits. */
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
    const turnOf = (item: Item): number => this.lastTurns.get(workflowOf(item)) ?? 0;
    const next = this.large.reduce((first, item) => (turnOf(item) < turnOf(first) ? item : first));
    this.large.splice(this.large.indexOf(next), 1);
    if (this.large.length === 0) this.lastTurns.clear();
    else this.lastTurns.set(workflowOf(next), ++this.turn);
    return [next];
  }

  private takeShared(): readonly Item[] {
    const group = new Set<Item>();
    let chars = 0;
    for (const round of roundsOf(this.small)) {
      for (const item of round) {
        if (isFull(group.size, chars)) break;
        group.add(item);
        chars += charsIn(item.operation);
      }
    }
    this.small = this.small.filter((item) => !group.has(item));
    this.smallChars -= chars;
    return [...group];
  }
}

/** The first of each workflow, the second of each, and so on; in a round, whoever waits longest is first. */
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
