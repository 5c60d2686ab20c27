/** Performs one piece of work after another: a connection takes one statement at a time. */
export class Sequence {
  /** It never rejects. */
  private last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when nothing of what was given is left to do. */
  async done(): Promise<void> {
    await this.last;
  }
}
