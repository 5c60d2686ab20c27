import { globSync, readFileSync } from 'node:fs';
import { anchorsOf, faultOf, proseOf, targetOf } from './support/page-links.js';

/** Old place → new place, by page; a list: its parts went to several. */
const moved = JSON.parse(readFileSync('docs/moved.json', 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string | readonly string[]>>>
>;
const entries = Object.entries(moved).flatMap(([page, anchors]) =>
  Object.entries(anchors).map(([anchor, places]) => ({ page, anchor, places: [places].flat() })),
);

/** Where the page leads those who come by an anchor that it once had. */
function leadsOn(page: string, anchor: string): string | null {
  const mark = `<a id="${anchor}"></a>`;
  const line = proseOf(page)
    .split('\n')
    .find((one) => one.includes(mark));
  const [, link] = /\]\(([^)]+)\)/.exec(line?.split(mark)[1] ?? '') ?? [];
  return link === undefined ? null : targetOf(page, link);
}

describe('what has moved to another page', () => {
  it('is where the list says', () => {
    expect(entries.length).toBeGreaterThan(60);
    const faults = entries.flatMap(({ page, anchor, places }) =>
      places.flatMap((place) => {
        const fault = faultOf(place);
        return fault === null ? [] : [`${page}#${anchor}: ${fault}`];
      }),
    );
    expect(faults).toEqual([]);
  });

  it('is led to by its old anchor; README alone begins anew', () => {
    const ofPages = entries.filter(({ page }) => page !== 'README.md');
    for (const { page, anchor, places } of ofPages)
      expect([page, anchor, leadsOn(page, anchor)]).toEqual([page, anchor, places[0]]);
  });

  it('is no heading of README any more', () => {
    const kept = anchorsOf('README.md');
    const gone = entries.filter(({ page }) => page === 'README.md');
    expect(gone.filter(({ anchor }) => kept.has(anchor))).toEqual([]);
  });
});

it('whoever names a place of the interface in a comment, a decision or a page names one that there is', () => {
  const files = globSync(
    '{src,clients,test,tools,docs,examples,console/src}/**/*.{ts,tsx,mts,mjs,java,md,yaml}',
    {
      exclude: (path) => /node_modules|[\\/](?:dist|target)(?:[\\/]|$)/.test(path),
    },
  );
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bhttp\.md#([\w-]+)/g)].map(([, anchor = '']) => ({
      file,
      anchor,
    })),
  );
  const known = anchorsOf('docs/http.md');
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter(({ anchor }) => !known.has(anchor))).toEqual([]);
});
