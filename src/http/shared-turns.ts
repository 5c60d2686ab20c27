/**
 * Lets many callers do the same work a piece at a time, and yields to the event loop in between, so that other
 * requests are served. Otherwise a thousand of them that are called at the same moment would first be done one after
 * the other.
 */
export class SharedTurns {
  private waiting: (() => void)[] = [];

  /** `atOnce`: how many pieces are done per round of the event loop. */
  constructor(private readonly atOnce: number) {}

  /** Calls back when the next piece may be done. */
  next(resume: () => void): void {
    if (this.waiting.push(resume) === 1) this.look();
  }

  private look(): void {
    setImmediate(() => {
      for (const resume of this.waiting.splice(0, this.atOnce)) resume();
      if (this.waiting.length > 0) this.look();
    });
  }
}
