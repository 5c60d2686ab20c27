interface Waiting {
  /** Lets the waiting start begin: it has a slot. */
  readonly enter: () => void;
}

/** The waiting starts of one workflow, by depth. */
type Share = Map<number, Waiting[]>;

/**
 * Bounds how many children are started concurrently. Waiting starts get slots by two rules:
 *
 * 1. Workflows are served in rounds, whatever each requests: one that begins children without end blocks no other.
 * 2. Within a workflow the deepest goes first. A tree is then begun branch by branch, and what waits, with the parents
 *    that are kept in memory for it, grows with the depth of the tree; level by level it would grow with its width: a
 *    workflow that starts itself ten times over would exhaust the memory before the depth limit ends it, and no cancel
 *    would ever overtake it.
 */
export class StartSlots {
  private underWay = 0;
  /** By workflow; the next one comes first. None is empty. */
  private readonly shares = new Map<string, Share>();

  constructor(private readonly most: number) {}

  async run<Result>(workflow: string, depth: number, work: () => Promise<Result>): Promise<Result> {
    if (this.underWay >= this.most) {
      await new Promise<void>((resolve) => {
        this.add(workflow, depth, { enter: resolve });
      });
    } else this.underWay += 1;
    try {
      return await work();
    } finally {
      // A slot is handed on, and never freed while another start waits for it.
      const next = this.next();
      if (next === undefined) this.underWay -= 1;
      else next.enter();
    }
  }

  private add(workflow: string, depth: number, waiting: Waiting): void {
    let share = this.shares.get(workflow);
    if (share === undefined) this.shares.set(workflow, (share = new Map()));
    const sameDepth = share.get(depth);
    if (sameDepth === undefined) share.set(depth, [waiting]);
    else sameDepth.push(waiting);
  }

  private next(): Waiting | undefined {
    const [first] = this.shares;
    if (first === undefined) return undefined;
    const [workflow, share] = first;
    const depth = Math.max(...share.keys());
    const deepest = share.get(depth) ?? [];
    const next = deepest.shift();
    if (deepest.length === 0) share.delete(depth);
    // To the end, so that the others are served before it is again.
    this.shares.delete(workflow);
    if (share.size > 0) this.shares.set(workflow, share);
    return next;
  }
}
