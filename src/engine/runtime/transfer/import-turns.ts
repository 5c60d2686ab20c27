import { BusyError } from '../../../errors/service-errors.js';

/** Each import takes some ten times the memory of what was sent. */
const AT_ONCE = 2;
/** Those that wait hold what was sent. */
const MOST_WAITING = 6;

/** Bounds how many imports are under way at once, and how many wait for them. */
export class ImportTurns {
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];

  /** Rejects with a `BusyError` where too many wait. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.underWay < AT_ONCE) this.underWay += 1;
    else if (this.waiting.length >= MOST_WAITING) throw new BusyError('import of runs');
    // A slot is handed on, never given back while an import waits for it.
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.underWay -= 1;
      else next();
    }
  }
}
