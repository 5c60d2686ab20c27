/** So many are in memory half built, at most. */
const MOST_AT_ONCE = 2;

/** The log is long, and others are at long ones: nothing is to be held of it until its turn has come. */
class NotItsTurnError extends Error {
  override readonly name = 'NotItsTurnError';
}

/** Whether a load may go on beyond the first page of a log. Throws a `NotItsTurnError` where it must wait first. */
export type AdmitLong = () => void;

/**
 * Long logs are folded for readers few at a time, in the order in which they were asked for. That one is long shows
 * only when its first page is there: it is let go then, and read again when its turn has come. Short ones never wait.
 */
export class LongLoads {
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];

  async run<Result>(load: (admit: AdmitLong) => Promise<Result>): Promise<Result> {
    let isAdmitted = false;
    const admit = (): void => {
      if (isAdmitted) return;
      if (this.underWay >= MOST_AT_ONCE) throw new NotItsTurnError();
      this.underWay += 1;
      isAdmitted = true;
    };
    try {
      return await load(admit);
    } catch (error) {
      if (!(error instanceof NotItsTurnError)) throw error;
      // A place is handed on, never given back while somebody waits for it.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      isAdmitted = true;
      return await load(admit);
    } finally {
      if (isAdmitted) this.leave();
    }
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.underWay -= 1;
    else next();
  }
}
