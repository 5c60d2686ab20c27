import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import type { MemoryHit } from '../ports/memory-index.js';
import type { SharedSearches } from '../runtime/shared-searches.js';

/** `engine.memory`: what the outputs of units left behind. */
export class Memory {
  constructor(private readonly searches: SharedSearches) {}

  /** Best first. `topK` is 1 to 100. Throws a `BusyError` while very many others of the caller wait. */
  search(request: {
    readonly query: string;
    readonly topK: number;
    /** Default: `default`. */
    readonly namespace?: string | undefined;
    /** Searches are done one at a time, and callers take turns. Default: one for all who say nothing. */
    readonly caller?: string | undefined;
  }): Promise<readonly MemoryHit[]> {
    const { query, topK, namespace = DEFAULT_NAMESPACE, caller = '' } = request;
    return this.searches.search({ namespace, query, topK }, caller);
  }
}
