import type { Memory } from '../../facets/memory.js';
import { isInScope, type AccessScope } from '../../ports/access/policy.js';
import type { MemoryHit } from '../../ports/memory/memory-index.js';
import { SEARCH_RESULTS } from '../../request-limits.js';
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
    return scoped(this.authority, 'memory:read', async (scope) => {
      const asked = { ...request, ...this.authority.identity };
      if (scope === 'all') return this.memory.search(asked);
      // What is hidden must not take the places of what is shown.
      const hits = await this.memory.search({ ...asked, topK: SEARCH_RESULTS.most });
      return shownOf(hits, scope).slice(0, request.topK);
    });
  }
}

/** The hits that the scope shows, with scores that tell nothing of better ones that it does not. */
function shownOf(hits: readonly MemoryHit[], scope: AccessScope): readonly MemoryHit[] {
  const shown = hits.filter(({ metadata: { workflowId } }) =>
    typeof workflowId === 'string' ? isInScope(scope, workflowId) : false,
  );
  const best = shown[0]?.score ?? 1;
  return shown.map((hit) => ({ ...hit, score: hit.score / best }));
}
