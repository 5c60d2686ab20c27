import { Inject, Injectable } from '@nestjs/common';
import { ENGINE } from '../config/instance-tokens.js';
import type { Engine, MemoryHit } from '../engine/index.js';
import { SEARCH_RESULTS } from '../engine/request-limits.js';
import { InvalidRequestError } from '../errors/request-errors.js';
import type { Query } from '../http/query/query.js';

@Injectable()
export class MemoryService {
  constructor(@Inject(ENGINE) private readonly engine: Engine) {}

  /**
   * `q` is required, and may be empty; `topK` is 1 to 100 (more is reduced to that), default 5. `caller`: whose share
   * of searches it uses.
   */
  async search(query: Query, caller: string): Promise<{ readonly results: readonly MemoryHit[] }> {
    const text = query.text('q');
    if (text === null) throw new InvalidRequestError('q is required: send the text to search for');
    const topK = query.wholeNumber('topK', SEARCH_RESULTS);
    return { results: text === '' ? [] : await this.engine.memory.search({ query: text, topK, caller }) };
  }
}
