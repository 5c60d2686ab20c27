import type { Clock } from '../ports/clock.js';
import type { Load } from './load.js';
import { FairQueue } from './queues/fair-queue.js';
import { Throttle } from './throttle.js';

/** Pieces of work follow one another for this long, then comes a break where the load requires one. */
const SLICE_MS = 10;

/**
 * Background work for streams and watched lists, one piece at a time, in rounds of those whom it is done for and of each in the order
 * in which it came. Under load it takes
 * breaks in between, so that runs come first, however many clients watch.
 */
export class BackgroundWork {
  private readonly throttle: Throttle;
  private readonly waiting = new FairQueue<() => Promise<void>>();
  private isWorking = false;
  private readonly closing = new AbortController();

  constructor(clock: Clock, load: Load) {
    this.throttle = new Throttle(clock, load, 1);
  }

  /** `caller`: whom it is done for. Default: what is done for all is one caller. */
  run<Result>(
    work: () => Promise<Result>,
    { caller = '' }: { readonly caller?: string | undefined } = {},
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.add(caller, () => work().then(resolve, reject));
      if (!this.isWorking) void this.work();
    });
  }

  /** Takes no more breaks: the pieces that wait run at once, and find that their streams have ended. */
  close(): void {
    this.closing.abort();
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    while (this.waiting.length > 0) {
      await this.throttle.count(() => this.workSlice());
      if (!this.throttle.mayProceed && !this.closing.signal.aborted)
        await this.throttle.takeBreak(this.closing.signal);
    }
    this.isWorking = false;
  }

  private async workSlice(): Promise<void> {
    const end = performance.now() + SLICE_MS;
    for (let piece = this.waiting.take(); piece !== undefined; piece = this.waiting.take()) {
      await piece();
      if (performance.now() >= end) break;
    }
  }
}
