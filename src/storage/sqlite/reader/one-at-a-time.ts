/**
 * Reads lists sequentially, so that no more than one of them stands before any other scan: a follower, or the sweep of due
 * runs, never waits for all requests for lists.
 */
export class OneAtATime {
  private last: Promise<unknown> = Promise.resolve();

  run<Result>(ask: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(ask);
    // A failure concerns its own caller only.
    this.last = result.catch(() => undefined);
    return result;
  }
}
