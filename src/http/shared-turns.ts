/**
 * Lets many do the same work in turn, a piece at a time, so that between two pieces of the same connection everybody else's
 * request is looked at. A thousand of them that are called at the same moment would else be done one after the other first.
 */
export class SharedTurns {
  private waiting: (() => void)[] = [];

  /** `atOnce`: how many pieces are done between two looks at everybody else. */
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
