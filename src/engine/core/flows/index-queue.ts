/** Branches that are to be looked at, the one that is declared first first; each once while it waits. */
export class IndexQueue {
  /** Descending, so that the first is the last. */
  private readonly added: number[] = [];

  /** From a whole range on, `to` left out; nothing of it is done before it is taken. */
  constructor(
    private from = 0,
    private readonly to = 0,
  ) {}

  take(): number | undefined {
    const first = this.added.at(-1);
    if (first !== undefined && (first < this.from || this.from >= this.to)) return this.added.pop();
    return this.from < this.to ? this.from++ : undefined;
  }

  add(index: number): void {
    if (index >= this.from && index < this.to) return;
    const { added } = this;
    let from = 0;
    let to = added.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((added[middle] ?? 0) > index) from = middle + 1;
      else to = middle;
    }
    if (added[from] !== index) added.splice(from, 0, index);
  }
}
