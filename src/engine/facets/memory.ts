import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import type { MemoryHit, MemoryIndex } from '../ports/memory-index.js';

/** `engine.memory`: what the outputs of units left behind. */
export class Memory {
  constructor(private readonly index: MemoryIndex) {}

  /** Best first. `topK` is 1 to 100. */
  search(request: {
    readonly query: string;
    readonly topK: number;
    /** Default: `default`. */
    readonly namespace?: string | undefined;
  }): Promise<readonly MemoryHit[]> {
    const { query, topK, namespace = DEFAULT_NAMESPACE } = request;
    return this.index.search({ namespace, query, topK });
  }
}
