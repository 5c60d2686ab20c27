import type { QueryTerm } from '../../../engine/ports/memory/memory-terms.js';
import { numberOf } from '../database/columns.js';
import type { Columns, Query } from '../database/database.js';
import { newestShown, type ShownEntries } from './shown-entries.js';
import { wordQuery } from './word-texts.js';

/** In a smaller namespace every word is cheap. */
const LARGE_NAMESPACE = 50_000;
/** A word that more entries have than this is common: PostgreSQL looks at all of them, each time, to find the newest. */
const COMMON = 50_000;
/** How many of the newest entries show how common a word is. */
const SAMPLE = 1_000;

/** `|| ''` reads a vector once, however many words are looked for in it. */
const sampledSql = (newest: string): string => `
  WITH terms AS MATERIALIZED (
    SELECT given.ordinal, given.word::tsquery AS query
    FROM unnest($2::text[]) WITH ORDINALITY AS given (word, ordinal)
  ), newest AS MATERIALIZED (
    SELECT one.words || ''::tsvector AS words FROM (${newest}
    ) AS one
  )
  SELECT terms.ordinal, count(*) AS entries FROM terms JOIN newest ON newest.words @@ terms.query
  GROUP BY terms.ordinal`;

const SAMPLED = sampledSql(`
      SELECT e.words FROM @.memory_entries AS e WHERE e.namespace = $1::text ORDER BY e.number DESC LIMIT ${SAMPLE}`);

const SAMPLED_SHOWN = sampledSql(newestShown('$3', '$4', SAMPLE));

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
  return withoutCommon(terms, entries, await query(SAMPLED, [namespace, terms.map(wordQuery)]));
}

/** The same of what is shown, going by that alone. */
export async function tellingTermsOfShown(
  query: Query,
  terms: readonly QueryTerm[],
  { namespace, shown }: { readonly namespace: string; readonly shown: ShownEntries },
): Promise<readonly QueryTerm[]> {
  if ((await shown.count(LARGE_NAMESPACE + 1)) <= LARGE_NAMESPACE) return terms;
  const values = [namespace, terms.map(wordQuery), ...shown.newest(SAMPLE)];
  return withoutCommon(terms, await shown.count(), await query(SAMPLED_SHOWN, values));
}

/** `sampled`: of the newest entries, how many have each of the words. */
function withoutCommon(
  terms: readonly QueryTerm[],
  entries: number,
  sampled: readonly Columns[],
): readonly QueryTerm[] {
  const common = new Set(
    sampled
      .filter((columns) => (numberOf(columns, 'entries') / SAMPLE) * entries > COMMON)
      .map((columns) => numberOf(columns, 'ordinal')),
  );
  return terms.filter((_term, index) => !common.has(index + 1));
}
