/** Beyond so many workflows, those that are owed nothing are forgotten. */
const MANY = 1_000;

/**
 * Ranks those who come to an endpoint so that workflows take turns: the calls of one keep their order, and however many of
 * them wait, the first of another is behind one of each alone (start-time fair queueing).
 */
export class TurnsOfWorkflows {
  /** The rank that was served last. */
  private served = 0;
  /** By workflow: the rank that it was given last. */
  private readonly given = new Map<string, number>();

  rankFor(workflow: string): number {
    const rank = Math.max(this.served, this.given.get(workflow) ?? 0) + 1;
    if (this.given.size >= MANY && !this.given.has(workflow)) this.forget();
    this.given.set(workflow, rank);
    return rank;
  }

  serve(rank: number): void {
    this.served = Math.max(this.served, rank);
  }

  private forget(): void {
    for (const [workflow, rank] of this.given) if (rank <= this.served) this.given.delete(workflow);
  }
}
