/** Does work in order of arrival, with a bound on how much is done concurrently. */
export class AtMost {
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.underWay >= this.most) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.underWay += 1;
    try {
      return await work();
    } finally {
      // A slot is handed on, and never freed while other work waits for it.
      const next = this.waiting.shift();
      if (next === undefined) this.underWay -= 1;
      else next();
    }
  }
}
