/**
 * What the search of the guide reads, as JSON: `{ pages: [[address, title]], sections: [[page, anchor, heading, text]] }`, where
 * `page` counts from 0, and anchor and heading are null for what stands above the first heading. The browser makes its index of it:
 * a finished one would be three times as large.
 */
export function searchIndexOf(pages) {
  const sections = pages.flatMap(({ sections: own }, page) =>
    own
      .filter(({ heading, text }) => heading !== null || text !== '')
      .map(({ anchor, heading, text }) => [page, anchor, heading, text]),
  );
  return Buffer.from(
    JSON.stringify({ pages: pages.map(({ address, title }) => [address, title]), sections }),
  );
}
