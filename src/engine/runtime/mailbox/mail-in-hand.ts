/**
 * How many runs of this process have mail in hand, most of which wait for their append: the store's queue, as seen
 * from here. Two additions for each batch, no more.
 */
export class MailInHand {
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

  /** The most at any instant since it was asked before. */
  takeMost(): number {
    const { most } = this;
    this.most = this.runs;
    return most;
  }
}
