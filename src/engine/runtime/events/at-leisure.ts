import type { Clock } from '../../ports/clock.js';
import type { Load } from '../followers/load.js';
import { Pace } from '../followers/pace.js';

/** So long pieces of work follow one another, then comes a rest where the load asks for one. */
const STRETCH_MS = 10;

/**
 * Work for those who look on, one piece at a time in the order in which it came. Under load it rests in between, so that
 * runs come first, however many look on.
 */
export class AtLeisure {
  private readonly pace: Pace;
  private waiting: (() => Promise<void>)[] = [];
  private isWorking = false;
  private readonly closing = new AbortController();

  constructor(clock: Clock, load: Load) {
    this.pace = new Pace(clock, load, 1);
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push(() => work().then(resolve, reject));
      if (!this.isWorking) void this.work();
    });
  }

  /** No more rests: what waits is done with at once, and finds that it is over. */
  close(): void {
    this.closing.abort();
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    while (this.waiting.length > 0) {
      await this.pace.count(() => this.stretch());
      if (!this.pace.mayGoOn && !this.closing.signal.aborted)
        await this.pace.rest(false, this.closing.signal);
    }
    this.isWorking = false;
  }

  private async stretch(): Promise<void> {
    const end = performance.now() + STRETCH_MS;
    // Those who come meanwhile are behind all who wait already.
    let taken = 0;
    for (const piece of this.waiting) {
      await piece();
      taken += 1;
      if (performance.now() >= end) break;
    }
    this.waiting = this.waiting.slice(taken);
  }
}
