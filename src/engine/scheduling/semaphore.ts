import { BusyError } from '../../errors/service-errors.js';
import { FairQueue } from './queues/fair-queue.js';

export interface SemaphoreOptions {
  /** What the work is, for whom a full queue turns away. */
  readonly name?: string;
  /** How many may wait; default: any number. */
  readonly maxWaiting?: number;
}

/** Which of those that wait is next: callers in rounds, of one caller the lowest rank first. */
export interface WaiterOptions {
  /** Default: all who say nothing are one caller. */
  readonly caller?: string;
  /** Default 0. */
  readonly rank?: number;
}

interface Waiter {
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Lets so much work be done at once. What has to wait is let in by the rounds of a `FairQueue`.
 *
 * 1. A slot is handed on, never given back while somebody waits for it: nobody who comes later overtakes.
 * 2. Work begins at once, in the same call, where a slot is free.
 */
export class Semaphore {
  private readonly waiting: FairQueue<Waiter>;
  private readonly name: string;

  constructor(
    private slots: number,
    { name = '', maxWaiting = Infinity }: SemaphoreOptions = {},
  ) {
    this.name = name;
    this.waiting = new FairQueue(maxWaiting);
  }

  /** Rejects with a `BusyError` where too many wait, or as the work does. */
  async run<Result>(work: () => Promise<Result>, waiter: WaiterOptions = {}): Promise<Result> {
    const { caller = '', rank = 0 } = waiter;
    // Where a slot is free, the work begins in this very call.
    if (this.tryAcquire()) this.waiting.pass(caller);
    else await this.wait(caller, rank);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Takes a slot, to be given back by `release`; false: none is free. */
  tryAcquire(): boolean {
    if (this.slots === 0) return false;
    this.slots -= 1;
    return true;
  }

  /** Resolves with a slot, to be given back by `release`. Rejects with a `BusyError` where too many wait. */
  async acquire({ caller = '', rank = 0 }: WaiterOptions = {}): Promise<void> {
    if (!this.tryAcquire()) await this.wait(caller, rank);
  }

  release(): void {
    const next = this.waiting.take();
    if (next === undefined) this.slots += 1;
    else next.enter();
  }

  /** Refuses all that wait with the error. What is under way goes on, and who comes later waits as ever. */
  refuseWaiting(error: Error): void {
    for (let next = this.waiting.take(); next !== undefined; next = this.waiting.take()) next.refuse(error);
  }

  private wait(caller: string, rank: number): Promise<void> {
    return new Promise((enter, refuse) => {
      this.waiting.add(caller, { enter, refuse }, rank)?.refuse(new BusyError(this.name));
    });
  }
}
