/** How many long bodies are read from between two looks at everybody else. */
const AT_ONCE = 4;

/**
 * Lets long bodies be read in turn, a piece at a time. Sockets that have megabytes lying ready would else be read one
 * after the other, two megabytes each, before anybody else's request is looked at.
 */
export class ReadTurns {
  private readonly waiting: (() => void)[] = [];

  /** Calls back when the next piece may be read. */
  next(resume: () => void): void {
    if (this.waiting.push(resume) === 1) this.look();
  }

  private look(): void {
    setImmediate(() => {
      for (const resume of this.waiting.splice(0, AT_ONCE)) resume();
      if (this.waiting.length > 0) this.look();
    });
  }
}
