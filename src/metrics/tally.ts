/** How many values fell between which bounds, as in a Prometheus histogram. Values have the unit of the bounds. */
export class Tally {
  /** The count up to each bound, without those of the bound before; the last one counts values beyond all bounds. */
  private readonly counts: number[];
  private total = 0;

  /** `bounds` are in ascending order; a value that equals one counts below it. */
  constructor(readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  get sum(): number {
    return this.total;
  }

  get count(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  /** `times`: how often the value was observed. */
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
