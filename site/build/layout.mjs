import { escaped } from './escaped.mjs';

/**
 * A page of the guide as HTML. Every address is a name beside it, so the page works below any prefix; it has no script and no style
 * of its own, so a policy can forbid them.
 *
 * `page`: `{ path, address, title, html, headings }`; `groups`: `[{ title, pages }]` of all pages; `files`: `{ theme, guide, style,
 * index }`, the names of what every page loads.
 */
export function layoutOf({ page, groups, files, version }) {
  const title = page.address === './' ? 'Flowgate' : `${page.title} · Flowgate`;
  const all = groups.flatMap(({ pages }) => pages);
  const at = all.indexOf(page);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<script src="${files.theme}"></script>
<link rel="stylesheet" href="${files.style}">
<script type="module" src="${files.guide}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header class="bar">
<a class="brand" href="./">Flowgate <small>${escaped(version)}</small></a>
<a class="to-pages" href="#pages">Pages</a>
<search class="search" hidden>
<input type="search" aria-label="Search the guide" placeholder="Search" autocomplete="off" spellcheck="false" data-index="${files.index}">
<div class="results" hidden></div>
<p class="found" role="status"></p>
</search>
<button class="theme" type="button" hidden>Dark</button>
</header>
<div class="columns">
<main id="content" tabindex="-1">
<article>
${page.html}</article>
${neighboursOf(all[at - 1], all[at + 1])}
<p class="source">This page is <code>${escaped(page.path)}</code> in the repository.</p>
</main>
${contentsOf(page)}<nav id="pages" class="pages" aria-label="Pages">
${groups.map((group) => groupOf(group, page)).join('\n')}
</nav>
</div>
</body>
</html>
`;
}

function groupOf({ title, pages }, current) {
  const items = pages.map((page) => {
    const mark = page === current ? ' aria-current="page"' : '';
    return `<li><a href="${page.address}"${mark}>${escaped(page.title)}</a></li>`;
  });
  return `<p>${escaped(title)}</p>\n<ul>\n${items.join('\n')}\n</ul>`;
}

function contentsOf({ headings }) {
  const sections = headings.filter(({ depth }) => depth === 2);
  if (sections.length < 2) return '';
  const items = sections.map(
    ({ anchor, text }) => `<li><a href="#${escaped(anchor)}">${escaped(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page">\n<p>On this page</p>\n<ul>\n${items.join('\n')}\n</ul>\n</nav>\n`;
}

function neighboursOf(previous, next) {
  const link = (page, rel, word) =>
    page === undefined
      ? ''
      : `<a rel="${rel}" href="${page.address}"><small>${word}</small> ${escaped(page.title)}</a>`;
  return `<nav class="neighbours" aria-label="Neighbours">${link(previous, 'prev', 'Previous')}${link(next, 'next', 'Next')}</nav>`;
}
