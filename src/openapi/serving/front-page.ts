import { VERSION } from '../../config/version.js';

/** Where one goes from the address of the service, relative to it, for proxies that add a path. */
const ADDRESSES = {
  docs: 'docs',
  openapi: 'openapi.json',
  workflows: 'workflows',
  runs: 'runs',
  gates: 'gates',
  mcp: 'mcp',
  health: 'health',
} as const;

const CONSOLE = 'console/';
const GUIDE = 'docs/guide/';

/** What a service may have, and may be without. */
interface FrontPageParts {
  readonly hasConsole: boolean;
  readonly hasGuide: boolean;
}

/** What the address of the service answers to a program. */
export function frontPage({ hasConsole, hasGuide }: FrontPageParts): string {
  const addresses = {
    ...(hasConsole ? { console: CONSOLE } : {}),
    ...(hasGuide ? { guide: GUIDE } : {}),
    ...ADDRESSES,
  };
  return JSON.stringify({ name: 'flowgate', version: VERSION, addresses });
}

/** The same for a browser. It loads nothing. */
export function frontPageForBrowsers({ hasConsole, hasGuide }: FrontPageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Flowgate</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>Flowgate ${VERSION}</h1>
${hasConsole ? `<p><a href="${CONSOLE}">Open the console</a></p>\n` : ''}${hasGuide ? `<p><a href="${GUIDE}">Read the guide</a></p>\n` : ''}<p>This is a workflow service. <a href="docs">Read and try its interface</a>, or see its
<a href="workflows">workflows</a>, its <a href="runs">runs</a> and the <a href="gates">gates</a> that wait for a decision.
Agents connect to <code>mcp</code>; <a href="openapi.json">openapi.json</a> is for tools, <a href="health">health</a> for probes.</p>
</body>
</html>
`;
}

/** The page has no style, no script and no picture. */
export const FRONT_PAGE_POLICY =
  "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
