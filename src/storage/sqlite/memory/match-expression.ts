/** A search looks at no more of its query than this. */
const MAX_QUERY_CHARS = 4_096;
/** Each term may touch every entry once: this bounds a search among a million. */
const MAX_QUERY_TERMS = 32;
/** Shorter terms begin too many words. */
const MIN_PREFIX_CHARS = 3;

export interface MatchExpressions {
  /** Entries with every term. */
  readonly all: string;
  /** Entries with at least one. */
  readonly any: string;
}

/** Reduces a query to quoted words, so that nothing in it is syntax of FTS5; null when it has no word. */
export function matchExpressions(query: string): MatchExpressions | null {
  const words = query.slice(0, MAX_QUERY_CHARS).match(/[\p{L}\p{N}]+/gu) ?? [];
  const terms = [...new Set(words.map((word) => word.toLowerCase()))]
    .slice(0, MAX_QUERY_TERMS)
    .map((word) => (word.length < MIN_PREFIX_CHARS ? `"${word}"` : `"${word}"*`));
  return terms.length === 0 ? null : { all: terms.join(' AND '), any: terms.join(' OR ') };
}
