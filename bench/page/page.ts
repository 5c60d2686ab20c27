import { parts } from '../parts/index.ts';
import { goals } from './goals.ts';

/** Where the page stands, and its charts. */
export const PAGE = 'docs/benchmarks.md';
export const CHARTS = 'docs/benchmarks';

/** The page with what stands between its markers replaced. A marker that nothing belongs to is left as it is. */
export function fill(page: string, sections: ReadonlyMap<string, string>): string {
  let filled = page;
  for (const [name, section] of sections) {
    const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
    const [from, to] = [filled.indexOf(begin), filled.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`${PAGE} lacks the markers ${begin} and ${end}.`);
    filled = `${filled.slice(0, from + begin.length)}\n\n${section}\n\n${filled.slice(to)}`;
  }
  return filled;
}

/** Names of parts that have no goal, and of goals whose part does not exist: both are mistakes. */
export function unmatched(): readonly string[] {
  const named = new Set(parts.map(({ name }) => name));
  const asked = new Set(goals.map(({ part }) => part));
  return [...[...named].filter((name) => !asked.has(name)), ...[...asked].filter((name) => !named.has(name))];
}
