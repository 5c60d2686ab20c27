import { WeakCache } from '../events/weak-cache.js';

/** The keys of a page's items, by run id. All clients that are shown the page share them, so they must not be changed. */
export type PageKeys = ReadonlyMap<string, ReadonlySet<string>>;

/** How many lists have their last page remembered. */
const MAX_LISTS = 256;

/**
 * Keeps what pages have in common only once: a list that thousands watch is read again for every few of them, and most of
 * these pages are alike. Nothing is kept that no client is shown.
 */
export class SharedPageKeys {
  private readonly latest = new WeakCache<PageKeys>(MAX_LISTS);

  /** Equal keys, made of parts of the list's last page where that is possible. */
  share(list: string, keys: PageKeys): PageKeys {
    const before = this.latest.get(list);
    const shared = before === undefined ? keys : sharing(before, keys);
    this.latest.set(list, shared);
    return shared;
  }
}

function sharing(before: PageKeys, now: PageKeys): PageKeys {
  let areAlike = before.size === now.size;
  const shared = new Map<string, ReadonlySet<string>>();
  for (const [runId, keys] of now) {
    const known = before.get(runId);
    const isSame = known?.size === keys.size && [...keys].every((key) => known.has(key));
    areAlike &&= isSame;
    shared.set(runId, isSame ? known : keys);
  }
  return areAlike ? before : shared;
}
