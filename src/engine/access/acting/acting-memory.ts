import type { Memory } from '../../facets/memory.js';
import type { MemoryHit } from '../../ports/memory/memory-index.js';
import type { Authority } from './authority.js';
import { scoped, type Acted } from './checked.js';

type SearchRequest = Acted<Parameters<Memory['search']>[0]>;

/** `engine.memory` for somebody who acts. It rejects with a `ForbiddenError` where the permission is missing. */
export class ActingMemory {
  constructor(
    private readonly memory: Memory,
    private readonly authority: Authority,
  ) {}

  search(request: SearchRequest): Promise<readonly MemoryHit[]> {
    return scoped(this.authority, 'memory:read', (scope) =>
      this.memory.search({ ...request, ...this.authority.identity, scope }),
    );
  }
}
