import type { QueryTerm } from '../../../engine/ports/memory/memory-terms.js';
import { numberOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { wordQuery } from './word-texts.js';

/** In a smaller namespace every word is cheap. */
const LARGE_NAMESPACE = 50_000;
/** A word that more entries have than this is common: PostgreSQL looks at all of them, each time, to find the newest. */
const COMMON = 50_000;
/** How many of the newest entries show how common a word is. */
const SAMPLE = 1_000;

/** `|| ''` reads a vector once, however many words are looked for in it. */
const SAMPLED = `
  WITH terms AS MATERIALIZED (
    SELECT given.ordinal, given.word::tsquery AS query
    FROM unnest($2::text[]) WITH ORDINALITY AS given (word, ordinal)
  ), newest AS MATERIALIZED (
    SELECT one.words || ''::tsvector AS words FROM (
      SELECT e.words FROM @.memory_entries AS e WHERE e.namespace = $1::text ORDER BY e.number DESC LIMIT ${SAMPLE}
    ) AS one
  )
  SELECT terms.ordinal, count(*) AS entries FROM terms JOIN newest ON newest.words @@ terms.query
  GROUP BY terms.ordinal`;

/**
 * The terms that tell entries apart. In a large namespace a word that very many entries have, going by the newest ones, hardly
 * does, and finding all of those takes longer than a search may (decision 0049). `entries`: how many the namespace has.
 */
export async function tellingTerms(
  query: Query,
  terms: readonly QueryTerm[],
  { namespace, entries }: { readonly namespace: string; readonly entries: number },
): Promise<readonly QueryTerm[]> {
  if (entries <= LARGE_NAMESPACE) return terms;
  const rows = await query(SAMPLED, [namespace, terms.map(wordQuery)]);
  const common = new Set(
    rows
      .filter((columns) => (numberOf(columns, 'entries') / SAMPLE) * entries > COMMON)
      .map((columns) => numberOf(columns, 'ordinal')),
  );
  return terms.filter((_term, index) => !common.has(index + 1));
}
