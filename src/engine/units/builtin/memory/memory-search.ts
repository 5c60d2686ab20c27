import { DEFAULT_NAMESPACE } from '../../../core/namespace.js';
import type { MemoryIndex } from '../../../ports/memory/memory-index.js';
import type { UnitOutcome, UnitExecutor, UnitRequest } from '../../../ports/unit-executor.js';
import { callerIn } from '../../../scheduling/caller.js';
import { SEARCH_RESULTS } from '../../../request-limits.js';
import { interpretResult } from '../../outcome.js';
import { memoryFailed, wrongSetting } from './memory-failures.js';

/** `caller`: whose share of the search queue it uses. */
export type SearchMemory = (
  request: Parameters<MemoryIndex['search']>[0],
  caller: string,
) => ReturnType<MemoryIndex['search']>;

const USES = 'builtin.memory-search';
const { least, most } = SEARCH_RESULTS;

/**
 * `builtin.memory-search`: what the memory has for the text `query`, the `topK` best first (1 to 100, default 5), in the
 * run's namespace: `{ results: [{ id, content, score, metadata }] }`.
 */
export function memorySearch(search: SearchMemory): UnitExecutor {
  return {
    execute: async ({ context }: UnitRequest): Promise<UnitOutcome> => {
      const { query, topK = SEARCH_RESULTS.usual } = context.config;
      if (typeof query !== 'string')
        return wrongSetting(USES, 'query must be a text: write what to look for');
      if (typeof topK !== 'number' || !Number.isInteger(topK) || topK < least || topK > most)
        return wrongSetting(USES, `topK must be a whole number from ${least} to ${most}`);
      const { namespace = DEFAULT_NAMESPACE, workflowId } = context;
      try {
        const hits = await search({ namespace, query, topK }, callerIn(namespace, `workflow ${workflowId}`));
        const results = hits.map(({ id, content, score, metadata }) => ({ id, content, score, metadata }));
        return interpretResult({ content: { results } });
      } catch (error) {
        return memoryFailed('searched', error);
      }
    },
  };
}
