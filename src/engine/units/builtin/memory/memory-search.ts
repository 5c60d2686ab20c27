import { DEFAULT_NAMESPACE } from '../../../core/namespace.js';
import type { MemoryIndex } from '../../../ports/memory-index.js';
import type { UnitAnswer, UnitExecutor, UnitRequest } from '../../../ports/unit-executor.js';
import { interpretAnswer } from '../../answer.js';
import { memoryFailed, wrongSetting } from './memory-answer.js';

/** `caller`: whose turn it takes. */
export type SearchMemory = (
  request: Parameters<MemoryIndex['search']>[0],
  caller: string,
) => ReturnType<MemoryIndex['search']>;

const USES = 'builtin.memory-search';
const DEFAULT_TOP_K = 5;
const MAX_TOP_K = 100;

/**
 * `builtin.memory-search`: what the memory has for the text `query`, the `topK` best first (1 to 100, default 5), in the
 * run's namespace: `{ results: [{ id, content, score, metadata }] }`.
 */
export function memorySearch(search: SearchMemory): UnitExecutor {
  return {
    execute: async ({ context }: UnitRequest): Promise<UnitAnswer> => {
      const { query, topK = DEFAULT_TOP_K } = context.config;
      if (typeof query !== 'string')
        return wrongSetting(USES, 'query must be a text: write what to look for');
      if (typeof topK !== 'number' || !Number.isInteger(topK) || topK < 1 || topK > MAX_TOP_K)
        return wrongSetting(USES, `topK must be a whole number from 1 to ${MAX_TOP_K}`);
      const { namespace = DEFAULT_NAMESPACE, workflowId } = context;
      try {
        const hits = await search({ namespace, query, topK }, `workflow ${namespace}/${workflowId}`);
        const results = hits.map(({ id, content, score, metadata }) => ({ id, content, score, metadata }));
        return interpretAnswer({ content: { results } });
      } catch (error) {
        return memoryFailed('searched', error);
      }
    },
  };
}
