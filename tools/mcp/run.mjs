// `npm run test:mcp`, after `npm run build`: the official conformance suite against the service with the fixtures that it
// asks for, then the clients that people use, each in a process of its own, against the service as it is. Words as
// arguments run what has them in its name: `npm run test:mcp -- python`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from '../java/run.mjs';
import { conforms } from './conformance.mjs';
import { installNpm, installPython, pythonOf } from './install.mjs';
import { withService } from './service.mjs';

const CLIENT_WITHIN_MS = 60_000;
const OLD = '2025-11-25';
const NEW = '2026-07-28';
const SETS = [OLD, NEW];

/** `revision`: what is to be negotiated; `mode`: how the client is told to negotiate. */
const CLIENTS = [
  { name: 'TypeScript SDK 1.32.2', script: 'typescript-v1.mjs', revision: OLD },
  { name: 'TypeScript client 2.4.0, legacy', script: 'typescript-v2.mjs', revision: OLD, mode: 'legacy' },
  { name: 'TypeScript client 2.4.0, auto', script: 'typescript-v2.mjs', revision: NEW, mode: 'auto' },
  { name: 'TypeScript client 2.4.0, pinned', script: 'typescript-v2.mjs', revision: NEW, mode: 'pin' },
  { name: 'Inspector 2.12.0, legacy', script: 'inspector.mjs', revision: OLD, mode: 'legacy' },
  { name: 'Inspector 2.12.0, modern', script: 'inspector.mjs', revision: NEW, mode: 'modern' },
  { name: 'Python mcp 1.30.0', script: 'python/mcp_v1.py', needs: 'v1.txt', revision: OLD },
  {
    name: 'Python mcp 2.3.0, legacy',
    script: 'python/mcp_v2.py',
    needs: 'v2.txt',
    revision: OLD,
    mode: 'legacy',
  },
  {
    name: 'Python mcp 2.3.0, auto',
    script: 'python/mcp_v2.py',
    needs: 'v2.txt',
    revision: NEW,
    mode: 'auto',
  },
  {
    name: 'Python mcp 2.3.0, pinned',
    script: 'python/mcp_v2.py',
    needs: 'v2.txt',
    revision: NEW,
    mode: NEW,
  },
  {
    name: 'Python fastmcp 4.1.2, legacy',
    script: 'python/fast_mcp.py',
    needs: 'v2.txt',
    revision: OLD,
    mode: 'legacy',
  },
  {
    name: 'Python fastmcp 4.1.2, auto',
    script: 'python/fast_mcp.py',
    needs: 'v2.txt',
    revision: NEW,
    mode: 'auto',
  },
];

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const isAsked = (name) => words.every((word) => name.toLowerCase().includes(word));
const nameOfSet = (revision) => `conformance ${revision}`;
const sets = SETS.filter((revision) => isAsked(nameOfSet(revision)));
const clients = CLIENTS.filter(({ name }) => isAsked(name));

let passed = 0;
let failed = 0;

/** One line for each; what fails keeps nothing else from running. */
async function tried(name, attempt) {
  const begun = performance.now();
  try {
    const seen = await attempt();
    passed += 1;
    process.stdout.write(`✓ ${name}: ${seen} (${((performance.now() - begun) / 1_000).toFixed(1)} s)\n`);
  } catch (error) {
    failed += 1;
    process.stdout.write(`✗ ${name}: ${error.message}\n`);
  }
}

/** A service that does not start, or does not end, is a failure of its own. */
async function served(script, use) {
  await withService(script, use).catch((error) => {
    failed += 1;
    process.stdout.write(`✗ ${error.message}\n`);
  });
}

async function install() {
  await installNpm();
  const environments = new Set(clients.flatMap(({ needs }) => needs ?? []));
  for (const requirements of environments) await installPython(requirements);
}

/** The workflows that the clients run. */
async function register(address) {
  for (const name of ['gate', 'slow']) {
    const yaml = readFileSync(resolve('tools', 'mcp', 'workflows', `${name}.yaml`), 'utf8');
    const response = await fetch(`${address}/workflows/from-yaml`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ yaml }),
    });
    if (!response.ok) throw new Error(`${name}.yaml was refused: ${await response.text()}`);
  }
}

async function tryClient({ script, needs, revision, mode }, address, home) {
  const command = needs === undefined ? process.execPath : pythonOf(needs);
  const given = [resolve('tools', 'mcp', 'clients', script), address, revision];
  const said = await run(command, mode === undefined ? given : [...given, mode], {
    withinMs: CLIENT_WITHIN_MS,
    // What a client keeps at home stays out of the home of whoever runs this.
    env: { HOME: home, PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1' },
  });
  return said.trim().split('\n').at(-1);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

if (!existsSync(resolve('dist', 'main.js'))) fail('dist/main.js is missing: run `npm run build` first.');
if (sets.length + clients.length === 0) {
  fail(
    `Nothing has all of these words in its name: ${words.join(', ')}. There are: ${[
      ...SETS.map(nameOfSet),
      ...CLIENTS.map(({ name }) => name),
    ].join('; ')}.`,
  );
}
const home = mkdtempSync(join(tmpdir(), 'flowgate-mcp-home-'));
try {
  await install().catch((error) => fail(error.message));
  if (sets.length > 0) {
    await served(resolve('tools', 'mcp', 'fixture-service.mjs'), async (address) => {
      for (const revision of sets) await tried(nameOfSet(revision), () => conforms(address, revision));
    });
  }
  if (clients.length > 0) {
    await served(resolve('dist', 'main.js'), async (address) => {
      await register(address);
      for (const client of clients) await tried(client.name, () => tryClient(client, address, home));
    });
  }
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
