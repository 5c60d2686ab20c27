/**
 * How many runs of this process have an inbox batch in progress. Most of them wait for their append, so this is the
 * store's queue as seen from here. Costs two additions per batch.
 */
export class InboxBatch {
  private runs = 0;
  private most = 0;

  get busy(): number {
    return this.runs;
  }

  begin(): void {
    this.runs += 1;
    if (this.runs > this.most) this.most = this.runs;
  }

  end(): void {
    this.runs -= 1;
  }

  /** The maximum since the last call. */
  takeMost(): number {
    const { most } = this;
    this.most = this.runs;
    return most;
  }
}
