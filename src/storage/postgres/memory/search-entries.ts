import { termsOfQuery, type QueryTerm } from '../../../engine/ports/memory/memory-terms.js';
import type { MemoryIndex } from '../../../engine/ports/memory/memory-index.js';
import { numberOf, numberOrNull, textOf } from '../database/columns.js';
import type { Columns, Database, Query } from '../database/database.js';
import { escaped, unescaped } from '../database/escaped.js';
import { tellingTerms } from './common-words.js';
import { anyAndAll, entriesOf, MAX_RANKED, newestWith } from './ranking-sql.js';
import { searchShown } from './search-shown.js';
import { wordQuery } from './word-texts.js';

export type SearchRequest = Parameters<MemoryIndex['search']>[0];

export interface FoundEntry {
  readonly id: string;
  readonly content: string;
  /** As JSON. */
  readonly metadata: string;
  /** Greater is better; above 0. */
  readonly rank: number;
}

/** What was put into a namespace, and is there. */
interface NamespaceSize {
  readonly newest: number;
  readonly oldest: number;
  /** How many terms an entry has, on average. */
  readonly averageTerms: number;
}

/**
 * Entries are found by the index of words, however many PostgreSQL expects: reading all of them, each with its text, is what it
 * must not prefer. An index of words is read by bitmaps only, which sessions leave out else. Until the end of the transaction.
 */
const BY_INDEXES = `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'on', true)`;

/** What was removed were the oldest, nearly always, so that the numbers between say how many there are. */
const SIZE = `
  SELECT known.newest, known.terms, (
    SELECT e.number FROM @.memory_entries AS e WHERE e.namespace = $1::text ORDER BY e.number LIMIT 1
  ) AS oldest
  FROM @.memory_namespaces AS known WHERE known.namespace = $1::text`;

/**
 * BM25, nearly. A word weighs by how rare it is among the numbers that were reached: those of all entries of the namespace, or,
 * where there are more candidates than are ranked, those from the oldest of them on; among these every entry with a word is a
 * candidate, so that none has to be counted elsewhere. `ts_rank` of a single word grows with how often the entry has it, from 0.6
 * towards 1; what it is divided by is BM25's for a word that occurs once (k1 = 1.2, b = 0.75): a long entry counts less. Terms have
 * their namespace in them, so that nothing here depends on another one.
 *
 * `$1` namespace, `$2` the words, `$3` any of them, `$4` all of them, `$5` and `$6` the newest and the oldest number, `$7` the
 * average of terms, `$8` how many are wanted.
 */
const RANKED = `
  WITH terms AS MATERIALIZED (
    SELECT given.ordinal, given.word::tsquery AS query
    FROM unnest($2::text[]) WITH ORDINALITY AS given (word, ordinal)
  ), having_any AS MATERIALIZED (${newestWith('$3')}
  ), having_all AS MATERIALIZED (${newestWith('$4')}
  ), reached AS MATERIALIZED (
    SELECT CASE WHEN count(*) < ${MAX_RANKED} THEN $6::bigint ELSE min(number) END AS number FROM having_any
  ), weighed AS MATERIALIZED (
    SELECT pool.number, terms.ordinal,
      ts_rank('{1,1,1,1}'::real[], e.words, terms.query)::float8 / (0.59 + 0.41 * e.terms / $7::float8) AS weight
    FROM (SELECT number FROM having_any UNION SELECT number FROM having_all) AS pool
    CROSS JOIN LATERAL (
      SELECT one.words || ''::tsvector AS words, one.terms FROM @.memory_entries AS one
      WHERE one.namespace = $1::text AND one.number = pool.number OFFSET 0
    ) AS e
    CROSS JOIN terms
    WHERE e.words @@ terms.query
  ), rarities AS MATERIALIZED (
    SELECT terms.ordinal, ln(1 +
      ($5::bigint - min(reached.number) + 1 - count(weighed.number) + 0.5::float8) / (count(weighed.number) + 0.5::float8)
    ) AS rarity
    FROM terms CROSS JOIN reached
    LEFT JOIN weighed ON weighed.ordinal = terms.ordinal AND weighed.number >= reached.number
    GROUP BY terms.ordinal
  )${entriesOf(`
    SELECT weighed.number, sum(weighed.weight * rarities.rarity) AS rank
    FROM weighed JOIN rarities ON rarities.ordinal = weighed.ordinal
    GROUP BY weighed.number ORDER BY rank DESC, weighed.number DESC LIMIT $8::integer`)}`;

/**
 * Where every word is a common one, the newest are the best: a word that so many entries have does not rank them. `$2` any of the
 * words, `$3` all of them, `$4` how many are wanted.
 */
const NEWEST = entriesOf(`
    SELECT newest.number, CASE WHEN newest.words @@ $3::tsquery THEN 1::float8 ELSE 0.5::float8 END AS rank
    FROM (
      SELECT one.number, one.words FROM @.memory_entries AS one
      WHERE one.namespace = $1::text ORDER BY one.number DESC LIMIT ${MAX_RANKED}
    ) AS newest
    WHERE newest.words @@ $2::tsquery
    ORDER BY rank DESC, newest.number DESC LIMIT $4::integer`);

/** Best first. */
export async function searchEntries(
  database: Pick<Database, 'snapshot'>,
  { namespace, query: words, topK, workflows = null }: SearchRequest,
): Promise<readonly FoundEntry[]> {
  const terms = termsOfQuery(words, namespace);
  if (terms.length === 0) return [];
  const scope = escaped(namespace);
  return database.snapshot(async (query) => {
    await query(BY_INDEXES);
    if (workflows !== null) {
      const rows = await searchShown(query, { namespace, workflows, terms, topK });
      return rows.map(foundEntryOf);
    }
    const size = await sizeOf(query, scope);
    if (size === null) return [];
    const entries = size.newest - size.oldest + 1;
    const telling = await tellingTerms(query, terms, { namespace: scope, entries });
    const rows =
      telling.length === 0
        ? await query(NEWEST, [scope, ...anyAndAll(terms), topK])
        : await ranked(query, scope, size, telling, topK);
    return rows.map(foundEntryOf);
  });
}

async function ranked(
  query: Query,
  scope: string,
  { newest, oldest, averageTerms }: NamespaceSize,
  terms: readonly QueryTerm[],
  topK: number,
): Promise<readonly Columns[]> {
  const words = terms.map(wordQuery);
  return query(RANKED, [scope, words, ...anyAndAll(terms), newest, oldest, averageTerms, topK]);
}

/** Null: it has no entry. */
async function sizeOf(query: Query, scope: string): Promise<NamespaceSize | null> {
  const [columns] = await query(SIZE, [scope]);
  const oldest = columns === undefined ? null : numberOrNull(columns, 'oldest');
  if (columns === undefined || oldest === null) return null;
  const newest = numberOf(columns, 'newest');
  return { newest, oldest, averageTerms: Math.max(1, numberOf(columns, 'terms') / newest) };
}

function foundEntryOf(columns: Columns): FoundEntry {
  return {
    id: unescaped(textOf(columns, 'id')),
    content: unescaped(textOf(columns, 'content')),
    metadata: textOf(columns, 'metadata'),
    rank: numberOf(columns, 'rank'),
  };
}
