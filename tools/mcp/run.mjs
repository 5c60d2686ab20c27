// `npm run test:mcp`, after `npm run build`: the official conformance suite against the service with the fixtures that it
// asks for, then the clients that people use, each in a process of its own, against the service as it is. Words as
// arguments run what has them in its name: `npm run test:mcp -- python`.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from '../java/run.mjs';
import { CLIENTS, NEW, OLD } from './clients.mjs';
import { conforms } from './conformance.mjs';
import { installNpm, installPython, pythonOf } from './install.mjs';
import { withKeyedService } from './keyed-service.mjs';
import { withService } from './service.mjs';

const CLIENT_WITHIN_MS = 60_000;
const HERE = resolve('tools', 'mcp');

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const isAsked = ({ name }) => words.every((word) => name.toLowerCase().includes(word));
const SETS = [OLD, NEW].flatMap((revision) => [
  { name: `conformance ${revision}`, revision, hasKey: false },
  { name: `conformance ${revision} with a key`, revision, hasKey: true },
]);
const sets = SETS.filter(isAsked);
const clients = CLIENTS.filter(isAsked);

let passed = 0;
let failed = 0;

/** One line for each; what fails keeps nothing else from running. */
async function tried(name, attempt) {
  const begun = performance.now();
  try {
    const seen = await attempt();
    passed += 1;
    say(`✓ ${name}: ${seen} (${((performance.now() - begun) / 1_000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    say(`✗ ${name}: ${error.message}`);
  }
}

/** A service that does not start, or does not end, is a failure of its own. */
async function served(script, use, start = withService) {
  const data = mkdtempSync(join(root, 'data-'));
  await start(script, data, use).catch((error) => {
    failed += 1;
    say(`✗ ${error.message}`);
  });
}

async function install() {
  const environments = new Set(clients.flatMap(({ requirements }) => requirements ?? []));
  await Promise.all([installNpm(), ...[...environments].map((requirements) => installPython(requirements))]);
}

/** The workflows that the clients run. */
async function register(address) {
  const files = ['gate', 'slow'].map((name) => join(HERE, 'workflows', `${name}.yaml`));
  // That of the page.
  files.push(resolve('examples', '02-approval', 'workflow.yaml'));
  for (const file of files) {
    const yaml = readFileSync(file, 'utf8');
    const response = await fetch(`${address}/workflows/from-yaml`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ yaml }),
    });
    if (!response.ok) throw new Error(`${file} was refused: ${await response.text()}`);
  }
}

async function tryClient({ script, requirements, revision, mode }, address) {
  const command = requirements === null ? process.execPath : pythonOf(requirements);
  const given = [join(HERE, 'clients', script), address, revision, ...(mode === null ? [] : [mode])];
  const said = await run(command, given, {
    withinMs: CLIENT_WITHIN_MS,
    // What a client keeps at home stays out of the home of whoever runs this.
    env: { HOME: join(root, 'home'), PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1' },
  });
  return said.trim().split('\n').at(-1);
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

if (!existsSync(resolve('dist', 'main.js'))) fail('dist/main.js is missing: run `npm run build` first.');
if (sets.length + clients.length === 0) {
  const all = [...SETS, ...CLIENTS].map(({ name }) => name).join('; ');
  fail(`Nothing has all of these words in its name: ${words.join(', ')}. There are: ${all}.`);
}
const root = mkdtempSync(join(tmpdir(), 'flowgate-mcp-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));
mkdirSync(join(root, 'home'));

await install().catch((error) => fail(error.message));
for (const hasKey of [false, true]) {
  const asked = sets.filter((set) => set.hasKey === hasKey);
  if (asked.length === 0) continue;
  const conform = async (address) => {
    for (const { name, revision } of asked) {
      await tried(name, () => conforms(address, revision, join(root, name.replaceAll(' ', '-'))));
    }
  };
  await served(join(HERE, 'fixture-service.mjs'), conform, hasKey ? withKeyedService : withService);
}
if (clients.length > 0) {
  await served(resolve('dist', 'main.js'), async (address) => {
    await register(address);
    for (const client of clients) await tried(client.name, () => tryClient(client, address));
  });
}
say(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
