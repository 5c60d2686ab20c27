interface Waiting {
  /** Resolves once it has a place. */
  readonly enter: () => void;
}

/** Of one workflow: by depth, those who wait. */
type Share = Map<number, Waiting[]>;

/**
 * The places in which children are started, so many at once. Who waits is let in by two rules:
 *
 * 1. Workflows take turns, whatever each asks for: one that begins without an end keeps no other from beginning a child.
 * 2. Within a workflow the deepest goes first. A tree is then begun branch by branch, and what waits, with the parents
 *    that are held in memory for it, is as much as the tree is deep, where level by level it would be as much as it is
 *    wide: a workflow that starts itself ten times over would have a service out of memory before its depth ends it, and
 *    no cancel would ever overtake it.
 */
export class StartPlaces {
  private underWay = 0;
  /** By workflow; the one whose turn is next stands first. None is empty. */
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
      // A place is handed on, never given back while somebody waits for it.
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
    // To the end: the others come before it does again.
    this.shares.delete(workflow);
    if (share.size > 0) this.shares.set(workflow, share);
    return next;
  }
}
