import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readPublished, type PublishedFile } from '../../http/published-file.js';

/** The files that the page loads: those of swagger-ui, and a few lines of ours that start it. */
export const PAGE_FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
} as const;
export type PageFile = keyof typeof PAGE_FILES;

/**
 * Only what this service serves, and no script in the page itself. swagger-ui sets styles on elements, and shows
 * pictures from its style sheet.
 */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const START = `const { document: url } = document.getElementById('page').dataset;
SwaggerUIBundle({
  url,
  dom_id: '#page',
  deepLinking: true,
  validatorUrl: null,
  queryConfigEnabled: false,
});
`;

// `npm run build` writes them there; in the sources they are read from the package.
const BUILT = new URL('../../docs-page/', import.meta.url);

/** The page at `/docs`; `at` is the requested path. Addresses are relative, for proxies that add a path. */
export function pageAt(at: string): string {
  const isFolder = at.endsWith('/');
  const files = isFolder ? '.' : './docs';
  const document = isFolder ? '../openapi.json' : './openapi.json';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Flowgate: the HTTP interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${files}/swagger-ui.css">
</head>
<body>
<div id="page" data-document="${document}"></div>
<noscript>This page is made of <a href="${document}">openapi.json</a> by a script.</noscript>
<script src="${files}/swagger-ui-bundle.js"></script>
<script src="${files}/start.js"></script>
</body>
</html>
`;
}

/** The file is read at the first request, never at the start. */
export function pageFile(name: PageFile): PublishedFile {
  if (name === 'start.js') return { bytes: Buffer.from(START), etag: '"1"' };
  return readPublished(new URL(name, existsSync(fileURLToPath(BUILT)) ? BUILT : packageOfThePage()));
}

export function isPageFile(name: string): name is PageFile {
  return Object.hasOwn(PAGE_FILES, name);
}

function packageOfThePage(): URL {
  const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
  return pathToFileURL(`${dirname(manifest)}/`);
}
