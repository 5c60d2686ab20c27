import type { QueryTerm } from '../../../engine/ports/memory/memory-terms.js';
import { wordQuery } from './word-texts.js';

/**
 * Ranking reads every candidate: only the newest so many with all words, and the newest so many with any of them, are ranked. In
 * a large namespace common words count only where a query has no others (see `common-words.ts`).
 */
export const MAX_RANKED = 4_000;

/** The entries that have the best numbers, best first. */
export const entriesOf = (best: string): string => `
  SELECT e.id, e.content, e.metadata, best.rank FROM (${best}
  ) AS best CROSS JOIN LATERAL (
    SELECT one.id, one.content, one.metadata FROM @.memory_entries AS one
    WHERE one.namespace = $1::text AND one.number = best.number OFFSET 0
  ) AS e
  ORDER BY best.rank DESC, best.number DESC`;

/** The numbers of the newest entries that have what is looked for. */
export const newestWith = (words: string): string => `
    SELECT found.number FROM (
      SELECT e.number FROM @.memory_entries AS e WHERE e.words @@ ${words}::tsquery OFFSET 0
    ) AS found ORDER BY found.number DESC LIMIT ${MAX_RANKED}`;

/** The words of a query as two texts of a `tsquery`: any of them, and all. */
export function anyAndAll(terms: readonly QueryTerm[]): readonly [any: string, all: string] {
  const words = terms.map(wordQuery);
  return [words.join(' | '), words.join(' & ')];
}
