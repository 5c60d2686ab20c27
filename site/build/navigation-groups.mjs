import { matchesGlob } from 'node:path';

/**
 * The groups with the pages that there are, each page once and in the order of the entries; what no group names is in the last one.
 * `faults`: entries that name no page.
 */
export function navigationGroups(paths, groups, rest) {
  const left = new Set(paths);
  const faults = [];
  const taken = (entry) => {
    const found = paths.filter((path) => path === entry || matchesGlob(path, entry));
    if (found.length === 0) faults.push(`site/navigation.mjs names ${entry}, and there is no such page`);
    return found.filter((path) => left.delete(path));
  };
  const named = groups.map(({ title, pages }) => ({ title, pages: pages.flatMap(taken) }));
  return {
    groups: [...named, { title: rest, pages: [...left] }].filter(({ pages }) => pages.length > 0),
    faults,
  };
}
