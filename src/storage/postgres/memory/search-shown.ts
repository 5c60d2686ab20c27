import type { WorkflowPatterns } from '../../../engine/ports/access/workflow-patterns.js';
import type { QueryTerm } from '../../../engine/ports/memory/memory-terms.js';
import type { Columns, Query } from '../database/database.js';
import { escaped } from '../database/escaped.js';
import { tellingTermsOfShown } from './common-words.js';
import { anyAndAll, entriesOf, MAX_RANKED, newestWith } from './ranking-sql.js';
import { newestShown, shownEntries } from './shown-entries.js';
import { wordQuery } from './word-texts.js';

/**
 * BM25 as in `search-entries.ts`, among the candidates alone: how rare a word is, and how long an entry usually is, is counted of them,
 * so that nothing here depends on what is hidden.
 *
 * `$1` namespace, `$2` the words, `$3` any of them and shown, `$4` all of them and shown, `$5` how many are wanted.
 */
const RANKED = `
  WITH terms AS MATERIALIZED (
    SELECT given.ordinal, given.word::tsquery AS query
    FROM unnest($2::text[]) WITH ORDINALITY AS given (word, ordinal)
  ), pool AS MATERIALIZED (
    SELECT candidate.number, e.words, e.terms
    FROM ((${newestWith('$3')}) UNION (${newestWith('$4')})) AS candidate
    CROSS JOIN LATERAL (
      SELECT one.words || ''::tsvector AS words, one.terms FROM @.memory_entries AS one
      WHERE one.namespace = $1::text AND one.number = candidate.number OFFSET 0
    ) AS e
  ), size AS MATERIALIZED (
    SELECT count(*) AS entries, greatest(1, avg(pool.terms))::float8 AS terms FROM pool
  ), weighed AS MATERIALIZED (
    SELECT pool.number, terms.ordinal,
      ts_rank('{1,1,1,1}'::real[], pool.words, terms.query)::float8 / (0.59 + 0.41 * pool.terms / size.terms) AS weight
    FROM pool CROSS JOIN size CROSS JOIN terms
    WHERE pool.words @@ terms.query
  ), rarities AS MATERIALIZED (
    SELECT terms.ordinal, ln(1 +
      (size.entries - count(weighed.number) + 0.5::float8) / (count(weighed.number) + 0.5::float8)
    ) AS rarity
    FROM terms CROSS JOIN size LEFT JOIN weighed ON weighed.ordinal = terms.ordinal
    GROUP BY terms.ordinal, size.entries
  )${entriesOf(`
    SELECT weighed.number, sum(weighed.weight * rarities.rarity) AS rank
    FROM weighed JOIN rarities ON rarities.ordinal = weighed.ordinal
    GROUP BY weighed.number ORDER BY rank DESC, weighed.number DESC LIMIT $5::integer`)}`;

/** Where every word is a common one. `$2` any of the words, `$3` all of them, `$4` and `$5` of `newestShown`, `$6` how many. */
const NEWEST = entriesOf(`
    SELECT newest.number, CASE WHEN newest.words @@ $3::tsquery THEN 1::float8 ELSE 0.5::float8 END AS rank
    FROM (${newestShown('$4', '$5', MAX_RANKED)}
    ) AS newest
    WHERE newest.words @@ $2::tsquery
    ORDER BY rank DESC, newest.number DESC LIMIT $6::integer`);

/** The best of the entries that are of workflows that fit. */
export async function searchShown(
  query: Query,
  request: {
    readonly namespace: string;
    readonly workflows: WorkflowPatterns;
    readonly terms: readonly QueryTerm[];
    readonly topK: number;
  },
): Promise<readonly Columns[]> {
  const { terms, topK } = request;
  const namespace = escaped(request.namespace);
  const shown = await shownEntries(query, request);
  if (shown === null) return [];
  const telling = await tellingTermsOfShown(query, terms, { namespace, shown });
  if (telling.length === 0)
    return query(NEWEST, [namespace, ...anyAndAll(terms), ...shown.newest(MAX_RANKED), topK]);
  const [any, all] = anyAndAll(telling).map((words) => `(${words}) & (${shown.words})`);
  return query(RANKED, [namespace, telling.map(wordQuery), any ?? '', all ?? '', topK]);
}
