/** Beyond this many workflows, those whose last rank was served are forgotten. */
const MANY = 1_000;

/**
 * Ranks the calls to an endpoint in rounds of a fair queue (start-time fair queueing): the calls of one workflow keep their
 * order, and however many of them wait, the first call of another workflow comes after at most one of each.
 */
export class WorkflowRounds {
  /** The rank that was served last. */
  private served = 0;
  /** The last rank of each workflow. */
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
