import { Injectable } from '@nestjs/common';
import type { MemoryHit } from '../engine/index.js';
import { SEARCH_RESULTS } from '../engine/request-limits.js';
import { InvalidRequestError } from '../errors/request-errors.js';
import type { RequestContext } from '../http/identity/request-context.js';
import type { Query } from '../http/query/query.js';

@Injectable()
export class MemoryService {
  /**
   * `q` is required, and may be empty; `topK` is 1 to 100 (more is reduced to that), default 5.
   */
  async search(
    query: Query,
    { engine, caller }: RequestContext,
  ): Promise<{ readonly results: readonly MemoryHit[] }> {
    const text = query.text('q');
    if (text === null) throw new InvalidRequestError('q is required: send the text to search for');
    const topK = query.wholeNumber('topK', SEARCH_RESULTS);
    return { results: text === '' ? [] : await engine.memory.search({ query: text, topK, caller }) };
  }
}
