/** Branches that are to be looked at, each once however often it was added, the one that is declared first first. */
export class IndexQueue {
  /** Descending, so that the first is the last. */
  private readonly indices: number[];

  constructor(indices: readonly number[]) {
    this.indices = [...new Set(indices)].sort((a, b) => b - a);
  }

  take(): number | undefined {
    return this.indices.pop();
  }

  add(index: number): void {
    const { indices } = this;
    let from = 0;
    let to = indices.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((indices[middle] ?? 0) > index) from = middle + 1;
      else to = middle;
    }
    if (indices[from] !== index) indices.splice(from, 0, index);
  }
}
