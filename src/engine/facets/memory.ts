import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import type { MemoryHit } from '../ports/memory/memory-index.js';
import type { SearchQueue } from '../runtime/search-queue.js';

/** `engine.memory`: what the outputs of units left behind. */
export class Memory {
  constructor(private readonly searchQueue: SearchQueue) {}

  /**
   * Best first. `topK` is 1 to 100. What units have said before is found, unless the process is under load. Throws a
   * `BusyError` while very many other searches of the caller wait.
   */
  search(request: {
    readonly query: string;
    readonly topK: number;
    /** Default: `default`. */
    readonly namespace?: string | undefined;
    /** Searches are done one at a time, and callers are served in rounds. Default: one for all callers that give none. */
    readonly caller?: string | undefined;
  }): Promise<readonly MemoryHit[]> {
    const { query, topK, namespace = DEFAULT_NAMESPACE, caller = '' } = request;
    return this.searchQueue.search({ namespace, query, topK }, caller);
  }
}
