/** How often a value fell between which bounds: what a Prometheus histogram is made of. In the unit of its bounds. */
export class Tally {
  /** Up to each bound, that of the bound before left out; the last: beyond all of them. */
  private readonly counts: number[];
  private total = 0;

  /** `bounds`: in order; each belongs to what is below it. */
  constructor(readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  get sum(): number {
    return this.total;
  }

  get count(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  /** `times`: it was observed so often. */
  observe(value: number, times = 1): void {
    const { bounds, counts } = this;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] ?? 0)) index += 1;
    counts[index] = (counts[index] ?? 0) + times;
    this.total += value * times;
  }

  /** How many values were at most each of the bounds. */
  cumulative(): readonly number[] {
    let sum = 0;
    return this.bounds.map((_bound, index) => (sum += this.counts[index] ?? 0));
  }
}
