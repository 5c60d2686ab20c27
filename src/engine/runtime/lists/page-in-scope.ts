import type { WorkflowPatterns } from '../../ports/access/workflow-patterns.js';

/**
 * So many pages of the store are looked through for one of a list: a filter may leave next to nothing of what it looks at, and
 * where a store ends a page early, its cursor is made of a row that may be hidden.
 */
const MOST_PAGES = 50;

interface StoredPage<Row, Key> {
  readonly rows: readonly Row[];
  readonly next: Key | null;
}

export interface PageInScope<Row, Key> {
  /** What the store is asked for: no row is found by two of them. */
  readonly queries: readonly (WorkflowPatterns | null)[];
  readonly before: Key | null;
  readonly limit: number;
  /** One page of the store. */
  read(workflows: WorkflowPatterns | null, before: Key | null, limit: number): Promise<StoredPage<Row, Key>>;
  keyOf(row: Row): Key;
  isNewer(a: Key, b: Key): boolean;
}

/**
 * A page of what is shown, newest first. With patterns it ends at a row that is shown, because what a cursor is made of tells of
 * its row; only after very many that are not shown in a row may it end at one of those.
 */
export async function pageInScope<Row, Key>(list: PageInScope<Row, Key>): Promise<StoredPage<Row, Key>> {
  const { queries, before, limit } = list;
  const [first = null] = queries;
  if (queries.length === 1 && first === null) return list.read(null, before, limit);
  const pages: StoredPage<Row, Key>[] = [];
  for (const query of queries) pages.push(await wholePage(list, query));
  return merged(list, pages);
}

async function wholePage<Row, Key>(
  { before, limit, read, keyOf }: PageInScope<Row, Key>,
  query: WorkflowPatterns | null,
): Promise<StoredPage<Row, Key>> {
  const found: Row[] = [];
  let at = before;
  for (let pages = 1; ; pages += 1) {
    const { rows, next } = await read(query, at, limit - found.length);
    found.push(...rows);
    const last = found.at(-1);
    if (next !== null && found.length === limit && last !== undefined)
      return { rows: found, next: keyOf(last) };
    if (next === null || pages === MOST_PAGES) return { rows: found, next };
    at = next;
  }
}

/** The newest of all pages, down to where each of them was looked through. */
function merged<Row, Key>(
  { limit, keyOf, isNewer }: PageInScope<Row, Key>,
  pages: readonly StoredPage<Row, Key>[],
): StoredPage<Row, Key> {
  const [only] = pages;
  if (pages.length === 1 && only !== undefined) return only;
  let reach: Key | null = null;
  for (const { next } of pages) if (next !== null && (reach === null || isNewer(next, reach))) reach = next;
  const floor = reach;
  const rows = pages
    .flatMap((page) => page.rows)
    .filter((row) => floor === null || !isNewer(floor, keyOf(row)))
    .sort((a, b) => (isNewer(keyOf(a), keyOf(b)) ? -1 : 1));
  if (rows.length <= limit) return { rows, next: reach };
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: last === undefined ? null : keyOf(last) };
}
