import type { MemoryHit, MemoryIndex } from '../ports/memory-index.js';

/** `engine.memory`: what the outputs of units left behind. */
export class Memory {
  constructor(private readonly index: MemoryIndex) {}

  /** Best first. `topK` is 1 to 100. */
  search(request: { readonly query: string; readonly topK: number }): Promise<readonly MemoryHit[]> {
    return this.index.search(request);
  }
}
