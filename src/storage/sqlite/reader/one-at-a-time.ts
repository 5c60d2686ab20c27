/**
 * Who asks for a list waits for those who asked before, so that no more than one of them stands before somebody else's
 * scan: a follower, or the sweep of what is due, never waits for all who look at lists.
 */
export class OneAtATime {
  private last: Promise<unknown> = Promise.resolve();

  run<Result>(ask: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(ask);
    // Whether it failed is for its own caller.
    this.last = result.catch(() => undefined);
    return result;
  }
}
