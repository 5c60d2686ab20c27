import { isInScope, type AccessScope } from '../../ports/access/policy.js';
import { LIST_PAGE } from '../../request-limits.js';

/** So many pages of the store are looked through for one of a list: a scope may show next to nothing of a long one. */
const MOST_PAGES = 50;

interface StoredPage<Row, Key> {
  readonly rows: readonly Row[];
  readonly next: Key | null;
}

export interface PageInScope<Row, Key> {
  readonly scope: AccessScope;
  readonly before: Key | null;
  readonly limit: number;
  /** The workflow that the list is of; null: of any. */
  readonly workflowId: string | null;
  /** One page of the store. */
  read(before: Key | null, limit: number): Promise<StoredPage<Row, Key>>;
  keyOf(row: Row): Key;
  workflowIdOf(row: Row): string;
}

/**
 * A page of what the scope shows. It ends at a row that is shown, because what a cursor is made of tells of its row; only
 * after very many that are not shown in a row does it end at one of those.
 */
export async function pageInScope<Row, Key>(list: PageInScope<Row, Key>): Promise<StoredPage<Row, Key>> {
  const { scope, before, limit } = list;
  if (scope === 'all') return list.read(before, limit);
  const shown: Row[] = [];
  const isOfOther = list.workflowId !== null && !isInScope(scope, list.workflowId);
  if (isOfOther || scope.length === 0) return { rows: shown, next: null };
  let at = before;
  for (let pages = 1; ; pages += 1) {
    const { rows, next } = await list.read(at, LIST_PAGE.most);
    for (const row of rows) {
      if (!isInScope(scope, list.workflowIdOf(row))) continue;
      const last = shown.at(-1);
      if (shown.length === limit && last !== undefined) return { rows: shown, next: list.keyOf(last) };
      shown.push(row);
    }
    if (next === null || pages === MOST_PAGES) return { rows: shown, next };
    at = next;
  }
}
