export interface YielderOptions {
  /** How often the event loop comes round for everybody else before work goes on. */
  readonly rounds: number;
  /** How many of those that wait go on then. Default 1. */
  readonly atOnce?: number;
}

/**
 * Gives the event loop back: whoever does long work waits here between two slices of it. However many do, only so many of
 * them go on between two looks at sockets and timers; a thousand that are woken at the same moment would else be served
 * one after the other first.
 */
export class Yielder {
  private waiting: (() => void)[] = [];
  private readonly rounds: number;
  private readonly atOnce: number;

  constructor({ rounds, atOnce = 1 }: YielderOptions) {
    this.rounds = rounds;
    this.atOnce = atOnce;
  }

  /** Resolves when the next slice may begin: in the order of the calls. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) this.serveAfter(this.rounds);
    });
  }

  private serveAfter(rounds: number): void {
    setImmediate(() => {
      if (rounds > 1) return this.serveAfter(rounds - 1);
      for (const resume of this.waiting.splice(0, this.atOnce)) resume();
      if (this.waiting.length > 0) this.serveAfter(this.rounds);
    });
  }
}

/**
 * Of all long work of the process: what others ask for needs several rounds of the loop each (a run: its request, its
 * appends, its outcome), and would else meet a slice of long work in every one of them.
 */
export const longWork = new Yielder({ rounds: 8 });
