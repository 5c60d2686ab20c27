// Plays the snippet of docs/mcp.md for version 1 of the SDK, as it stands there but for the address.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PAGE = resolve('docs', 'mcp.md');
/** Where the packages are found that the snippet imports; npm leaves it alone. */
const FOLDER = resolve('tools', 'mcp', 'node_modules', '.page');

const [address] = process.argv.slice(2);
const snippets = [...readFileSync(PAGE, 'utf8').matchAll(/^```js\n([^]*?)^```$/gm)].map(([, text]) => text);
if (snippets.length !== 1)
  throw new Error(`${PAGE} has ${snippets.length} snippets of JavaScript, and not one.`);
const snippet = snippets[0].replace('http://127.0.0.1:8787', address);
if (snippet === snippets[0])
  throw new Error('The snippet does not connect to the service of the other pages.');

mkdirSync(FOLDER, { recursive: true });
const file = join(FOLDER, 'snippet.mjs');
writeFileSync(file, snippet);
const said = execFileSync(process.execPath, [file], { encoding: 'utf8', timeout: 30_000 }).trim();
const tools = said.split(' ');
for (const tool of ['run_workflow', 'get_run', 'respond_hitl', 'list_workflows'])
  if (!tools.includes(tool)) throw new Error(`The snippet prints no ${tool}: ${said}`);
process.stdout.write(`its snippet lists ${tools.length} tools\n`);
