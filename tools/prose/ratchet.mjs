// Limits that may only shrink: what today's pages break is counted, by page and rule; more fails, and fewer lowers the limit.

/**
 * `counts`, `limits`: `{ [page]: { [rule]: number } }`; what is absent is 0. Gives what has grown and what has shrunk, each as
 * `{ page, rule, count, limit }`. A page that is gone has shrunk to 0.
 */
export function compare(counts, limits) {
  const pages = [...new Set([...Object.keys(counts), ...Object.keys(limits)])].toSorted();
  const differences = pages.flatMap((page) => {
    const rules = new Set([...Object.keys(counts[page] ?? {}), ...Object.keys(limits[page] ?? {})]);
    return [...rules].map((rule) => ({
      page,
      rule,
      count: counts[page]?.[rule] ?? 0,
      limit: limits[page]?.[rule] ?? 0,
    }));
  });
  return {
    grown: differences.filter(({ count, limit }) => count > limit),
    shrunk: differences.filter(({ count, limit }) => count < limit),
  };
}

/** The limits at what is left of them, without what is 0. None becomes higher than it was. */
export function lowered(counts, limits) {
  const pages = Object.entries(limits).map(([page, rules]) => [
    page,
    Object.entries(rules)
      .map(([rule, limit]) => [rule, Math.min(limit, counts[page]?.[rule] ?? 0)])
      .filter(([, limit]) => limit > 0),
  ]);
  return Object.fromEntries(
    pages.filter(([, rules]) => rules.length > 0).map(([page, rules]) => [page, Object.fromEntries(rules)]),
  );
}
