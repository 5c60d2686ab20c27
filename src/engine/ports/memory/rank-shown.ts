import { termsOfContent, type QueryTerm } from './memory-terms.js';

/** Of so many entries the text is looked at, and of no more of it; those that have the rarest words come first. */
const MOST_READ = 1_000;
const MOST_READ_CHARS = 4_000_000;
/** Those of BM25: how fast further occurrences of a word count for less, and how much a long text counts for less. */
const K1 = 1.2;
const B = 0.75;

export interface ShownCandidates<Key> {
  readonly terms: readonly QueryTerm[];
  readonly namespace: string;
  /** The entries that have any of the terms, newest first, with the indexes of those that they have. */
  readonly found: ReadonlyMap<Key, ReadonlySet<number>>;
  /** The content of an entry; null: it is no longer there. */
  readonly read: (key: Key) => string | null;
}

export interface RankedKey<Key> {
  readonly key: Key;
  /** Greater is better; above 0. */
  readonly rank: number;
}

interface Read<Key> {
  readonly key: Key;
  readonly counts: readonly number[];
  readonly length: number;
}

/**
 * BM25 among the candidates, best first: how rare a word is, and how long a text usually is, is counted of them alone. An index that
 * weighs words by all that it has would tell, in its ranks, of what is hidden. It yields where others may have the thread.
 */
export function* rankShown<Key>({
  terms,
  namespace,
  found,
  read,
}: ShownCandidates<Key>): Generator<void, readonly RankedKey<Key>[], void> {
  const rarities = terms.map((_term, index) => rarityOf(index, found));
  const weightOf = (has: ReadonlySet<number>): number =>
    [...has].reduce((sum, index) => sum + (rarities[index] ?? 0), 0);
  const weighed = [...found].map(([key, has]) => ({ key, weight: weightOf(has) }));
  const entries: Read<Key>[] = [];
  let chars = 0;
  // Those that weigh the same stay newest first.
  for (const { key } of weighed.sort((a, b) => b.weight - a.weight)) {
    if (entries.length >= MOST_READ || chars >= MOST_READ_CHARS) break;
    const content = read(key);
    if (content === null) continue;
    const words = termsOfContent(content, namespace);
    entries.push({ key, counts: terms.map((term) => countOf(term, words)), length: words.length });
    chars += content.length;
    yield;
  }
  const usual = Math.max(1, entries.reduce((sum, { length }) => sum + length, 0) / entries.length);
  const ranked = entries.map(({ key, counts, length }) => ({
    key,
    rank: counts.reduce((sum, count, index) => {
      const more = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / usual));
      return sum + (rarities[index] ?? 0) * more;
    }, 0),
  }));
  return ranked.filter(({ rank }) => rank > 0).sort((a, b) => b.rank - a.rank);
}

function rarityOf(index: number, found: ReadonlyMap<unknown, ReadonlySet<number>>): number {
  let having = 0;
  for (const has of found.values()) if (has.has(index)) having += 1;
  return Math.log(1 + (found.size - having + 0.5) / (having + 0.5));
}

function countOf({ text, isPrefix }: QueryTerm, words: readonly string[]): number {
  let count = 0;
  for (const word of words) if (isPrefix ? word.startsWith(text) : word === text) count += 1;
  return count;
}
