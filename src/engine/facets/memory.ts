import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import type { AccessScope } from '../ports/access/policy.js';
import type { MemoryHit } from '../ports/memory/memory-index.js';
import { patternsOf } from '../runtime/lists/queries-of-scope.js';
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
    /** Of which workflows it tells. Default: of all. */
    readonly scope?: AccessScope | undefined;
    /** Searches are done one at a time, and callers are served in rounds. Default: one for all callers that give none. */
    readonly caller?: string | undefined;
  }): Promise<readonly MemoryHit[]> {
    const { query, topK, namespace = DEFAULT_NAMESPACE, scope = 'all', caller = '' } = request;
    return this.searchQueue.search({ namespace, workflows: patternsOf(scope), query, topK }, caller);
  }
}
