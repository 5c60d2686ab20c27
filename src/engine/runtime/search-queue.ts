import { ShuttingDownError } from '../../errors/service-errors.js';
import type { MemoryHit, MemoryIndex } from '../ports/memory/memory-index.js';
import { Semaphore } from '../scheduling/semaphore.js';

/** How many searches may wait next to the one that is under way. */
const MAX_WAITING = 1_000;

export type SearchRequest = Parameters<MemoryIndex['search']>[0];

/**
 * Runs the searches of the memory one at a time, in rounds over their callers: a long one takes some tenths of a second of
 * its thread. A write to the memory waits for the search that is under way, and for no other.
 */
export class SearchQueue {
  private isClosed = false;
  private readonly slot = new Semaphore(1, { name: 'memory', maxWaiting: MAX_WAITING });

  constructor(
    private readonly index: Pick<MemoryIndex, 'search'>,
    /** Has what was said up to now indexed first, if that is done in a moment. */
    private readonly hurry: () => Promise<void>,
  ) {}

  /**
   * Searches the memory. `caller`: whose round it takes. Rejects with a `BusyError` while the caller has very many waiting.
   */
  async search(request: SearchRequest, caller: string): Promise<readonly MemoryHit[]> {
    await this.hurry();
    if (this.isClosed) throw new ShuttingDownError();
    return this.slot.run(() => this.index.search(request), { caller });
  }

  /** Refuses the searches that wait. */
  close(): void {
    this.isClosed = true;
    this.slot.refuseWaiting(new ShuttingDownError());
  }
}
