import { BusyError, ShuttingDownError } from '../../errors/service-errors.js';
import { FairQueue } from '../fair-queue.js';
import type { MemoryHit, MemoryIndex } from '../ports/memory-index.js';

/** How many searches may wait next to the one that is under way. */
const CAPACITY = 1_000;

export type SearchRequest = Parameters<MemoryIndex['search']>[0];

interface Waiting {
  readonly request: SearchRequest;
  readonly resolve: (hits: Promise<readonly MemoryHit[]>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs the searches of the memory one at a time, in rounds over their callers: a long one takes some tenths of a second of
 * its thread. A write to the memory waits for the search that is under way, and for no other.
 */
export class SearchQueue {
  private readonly waiting = new FairQueue<Waiting>(CAPACITY);
  private isSearching = false;

  constructor(private readonly index: Pick<MemoryIndex, 'search'>) {}

  /**
   * Searches the memory. `caller`: whose round it takes. Rejects with a `BusyError` while the caller has very many waiting.
   */
  search(request: SearchRequest, caller: string): Promise<readonly MemoryHit[]> {
    return new Promise((resolve, reject) => {
      const refused = this.waiting.add(caller, { request, resolve, reject });
      refused?.reject(new BusyError('memory'));
      this.next();
    });
  }

  /** Refuses the searches that wait. */
  close(): void {
    for (let next = this.waiting.take(); next !== undefined; next = this.waiting.take()) {
      next.reject(new ShuttingDownError());
    }
  }

  private next(): void {
    if (this.isSearching) return;
    const next = this.waiting.take();
    if (next === undefined) return;
    this.isSearching = true;
    const hits = this.index.search(next.request);
    next.resolve(hits);
    const isOver = (): void => {
      this.isSearching = false;
      this.next();
    };
    hits.then(isOver, isOver);
  }
}
