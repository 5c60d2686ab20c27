import { WeakCache } from './weak-cache.js';

/** What is on a page: by run id the keys of its items. One for all who are shown it, so nobody changes it. */
export type PageKeys = ReadonlyMap<string, ReadonlySet<string>>;

/** Of so many different lists. */
const MAX_LISTS = 256;

/**
 * Keeps what pages have in common once: of a list that thousands watch each few are shown a page that was read for them,
 * and most of these are alike. Nothing is kept that nobody is shown.
 */
export class SharedPageKeys {
  private readonly latest = new WeakCache<PageKeys>(MAX_LISTS);

  /** The same, made of what the list's last page was made of where that is possible. */
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
