import type { RunState } from '../../core/state/state.js';
import type { Clock } from '../../ports/clock.js';
import type { RunIndex } from '../../ports/store/run-index.js';

/** How long a count of the store is used: what ends in the meantime counts until then, and no other process begins any. */
const FRESH_MS = 1_000;
/** How long a full count is used: counting ten thousand takes the store a millisecond. */
const FULL_MS = 100;
/** Above this many roots, those with nothing being started are forgotten. */
const MANY = 1_000;

interface Root {
  /** How many more may begin before the store counts again. */
  left: number;
  /** The last count left nothing. */
  isFull: boolean;
  /** Epoch ms. */
  countedAt: number;
  /** Starts whose outcome is not known yet: the store may have them already, or not. */
  starting: number;
  counting: Promise<void> | null;
  /** Callers that wait for one of the starts to be over. */
  readonly waiting: (() => void)[];
}

export interface DescendantsOptions {
  readonly store: Pick<RunIndex, 'readRoot' | 'countDescendants'>;
  readonly clock: Clock;
  /** The most unfinished runs below one root. */
  readonly most: number;
}

/**
 * Bounds how many unfinished runs a root run has below it, of any generation.
 *
 * 1. The store counts, by an index that only contains children, so the bound holds after a restart. It counts rarely: what
 *    is left of the bound is handed out here, for a second.
 * 2. All of a family are in one shard (decision 0074), so only its owner begins any, and a count is never too low. Runs that
 *    ended since make it too high: before a start is refused the store counts again, at most ten times a second.
 * 3. It never counts while a start is under way, which might be counted twice, or not at all.
 */
export class Descendants {
  private readonly roots = new Map<string, Root>();

  constructor(private readonly options: DescendantsOptions) {}

  /** Begins, or resumes, one more below the parent. Null: that was done; a sentence: why there may be no more. */
  async begin(parent: RunState, start: () => Promise<unknown>): Promise<string | null> {
    const { store, most } = this.options;
    const rootRunId = parent.parent === null ? parent.runId : await store.readRoot({ runId: parent.runId });
    const root = this.rootOf(rootRunId);
    if (!(await this.hasTaken(root, rootRunId))) {
      return (
        `${most} runs below ${rootRunId} are not over, and there may be no more (FLOWGATE_MAX_DESCENDANTS): begin fewer ` +
        'at once, or allow more, then resume this one'
      );
    }
    try {
      await start();
      return null;
    } finally {
      root.starting -= 1;
      for (const resolve of root.waiting.splice(0)) resolve();
    }
  }

  /** Takes one of those that are left, and counts it as starting. */
  private async hasTaken(root: Root, rootRunId: string): Promise<boolean> {
    for (let isCounted = false; ;) {
      const isFresh = root.counting === null && this.options.clock.now() - root.countedAt < FRESH_MS;
      if (root.left > 0 && (isFresh || root.starting > 0)) {
        root.left -= 1;
        root.starting += 1;
        return true;
      }
      if (root.left <= 0 && (isCounted || this.isKnownFull(root))) return false;
      if (root.starting > 0) await new Promise<void>((resolve) => root.waiting.push(resolve));
      else {
        await (root.counting ??= this.count(root, rootRunId).finally(() => {
          root.counting = null;
        }));
        isCounted = true;
      }
    }
  }

  private async count(root: Root, rootRunId: string): Promise<void> {
    const { store, clock, most } = this.options;
    root.left = most - (await store.countDescendants({ rootRunId, atMost: most }));
    root.isFull = root.left <= 0;
    root.countedAt = clock.now();
  }

  private isKnownFull({ isFull, countedAt, counting }: Root): boolean {
    return isFull && counting === null && this.options.clock.now() - countedAt < FULL_MS;
  }

  private rootOf(rootRunId: string): Root {
    const known = this.roots.get(rootRunId);
    if (known !== undefined) return known;
    if (this.roots.size >= MANY) this.forgetIdle();
    const root = { left: 0, isFull: false, countedAt: -Infinity, starting: 0, counting: null, waiting: [] };
    this.roots.set(rootRunId, root);
    return root;
  }

  private forgetIdle(): void {
    const old = this.options.clock.now() - FRESH_MS;
    for (const [rootRunId, { starting, counting, countedAt }] of this.roots) {
      if (starting === 0 && counting === null && countedAt < old) this.roots.delete(rootRunId);
    }
  }
}
