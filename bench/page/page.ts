/** Where the page is, and its charts. */
export const PAGE = 'docs/benchmarks.md';
export const CHARTS = 'docs/benchmarks';

/** The page with what is between its markers replaced. A marker that nothing belongs to is left as it is. */
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
