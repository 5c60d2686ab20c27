import { BusyError, ShuttingDownError } from '../../errors/service-errors.js';
import { FairQueue } from '../fair-queue.js';
import type { MemoryHit, MemoryIndex } from '../ports/memory-index.js';

/** What waits beside the one that is under way. */
const CAPACITY = 1_000;

export type SearchRequest = Parameters<MemoryIndex['search']>[0];

interface Waiting {
  readonly request: SearchRequest;
  readonly resolve: (hits: Promise<readonly MemoryHit[]>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The searches of the memory, one at a time: a long one takes some tenths of a second of its thread, and callers take turns.
 * What the memory is to remember waits for the one that is under way, and for no other.
 */
export class SharedSearches {
  private readonly waiting = new FairQueue<Waiting>(CAPACITY);
  private isSearching = false;

  constructor(private readonly index: Pick<MemoryIndex, 'search'>) {}

  /** As the memory does. `caller`: whose turn it takes. Rejects with a `BusyError` while the caller has very many waiting. */
  search(request: SearchRequest, caller: string): Promise<readonly MemoryHit[]> {
    return new Promise((resolve, reject) => {
      const refused = this.waiting.add(caller, { request, resolve, reject });
      refused?.reject(new BusyError('memory'));
      this.next();
    });
  }

  /** Those that wait are refused. */
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
