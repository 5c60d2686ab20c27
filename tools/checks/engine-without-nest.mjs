// Proves that flowgate/engine needs no Nest, nor does the client that runs in process: unpacks the packed packages beside
// their runtime dependencies, @nestjs/* left out, and runs small workflows there. The folder lies outside the repository, because Node looks for packages
// in every folder above the importing file and would find the repository's own Nest. Needs no network.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

const tarballs = ['flowgate', 'flowgate-client'].map((name) => [name, resolve(`.tmp/package/${name}.tgz`)]);
const repository = resolve('.');

for (const [, tarball] of tarballs) {
  if (existsSync(tarball)) continue;
  process.stderr.write(`${tarball} is missing: run \`npm run build && node tools/checks/pack.mjs\` first.\n`);
  process.exit(1);
}

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Where Node would find `name` for a file of `folder`: in the nearest node_modules upwards. */
function find(name, folder) {
  const candidate = join(folder, 'node_modules', name);
  if (existsSync(candidate)) return candidate;
  return folder === repository ? null : find(name, dirname(folder));
}

/** The folders of everything that the package depends on at run time: Nest is a peer, and so none of it. */
function runtimeFolders() {
  const folders = new Set();
  const visit = (names, from) => {
    for (const name of names) {
      if (name.startsWith('@nestjs/')) throw new Error(`${from} depends on ${name}`);
      if (name === 'flowgate-client') continue;
      const folder = find(name, from);
      if (folder === null || folders.has(folder)) continue;
      folders.add(folder);
      const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
      visit(Object.keys({ ...dependencies, ...optionalDependencies }), folder);
    }
  };
  visit(Object.keys(manifestOf(repository).dependencies), repository);
  return folders;
}

/** The command of the installed package: it runs a workflow, and asks a server that is not there (which ends with 4). */
function commandLine(cwd) {
  const bin = join('node_modules', 'flowgate', manifestOf(repository).bin.flowgate);
  const flowgate = (...args) =>
    spawnSync(process.execPath, [bin, ...args], { cwd, encoding: 'utf8', timeout: 60_000 });
  const yaml = `apiVersion: flowgate/v1
kind: Workflow
metadata: { id: alone }
spec:
  units:
    - { id: a, uses: builtin.mock, config: { response: 1 } }
    - { id: keep, uses: builtin.memory-put, config: { content: a pelican } }
    - { id: find, uses: builtin.memory-search, config: { query: pelicans } }
  flow: { type: sequential }
`;
  writeFileSync(join(cwd, 'alone.yaml'), yaml);
  const ran = flowgate('run', 'alone.yaml', '--quiet');
  if (ran.status !== 0) throw new Error(`flowgate run ended with ${ran.status}: ${ran.stderr}`);
  // The client of MCP is loaded, and finds nobody.
  const tool = `apiVersion: flowgate/v1
kind: Workflow
metadata: { id: tool }
spec:
  policy: { retry: { maxAttempts: 1 } }
  units: [{ id: a, uses: builtin.mcp, config: { url: 'http://127.0.0.1:9/mcp', tool: none } }]
  flow: a
`;
  writeFileSync(join(cwd, 'tool.yaml'), tool);
  const called = flowgate('run', 'tool.yaml', '--quiet');
  if (!`${called.stdout}${called.stderr}`.includes('connection refused'))
    throw new Error(`builtin.mcp was not loaded: ${called.stdout}${called.stderr}`);
  const asked = flowgate('get', 'a', 'b', '--server', 'http://127.0.0.1:9');
  if (asked.status !== 4) throw new Error(`flowgate get ended with ${asked.status}: ${asked.stderr}`);
  process.stdout.write('flowgate ran a workflow there, too, and loaded its client.\n');
}

const root = mkdtempSync(join(tmpdir(), 'flowgate-engine-without-nest-'));
try {
  for (const [name, tarball] of tarballs) {
    const installed = join(root, 'node_modules', name);
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  }
  const folders = runtimeFolders();
  for (const folder of folders) {
    cpSync(folder, join(root, relative(repository, folder)), {
      recursive: true,
      filter: (source) => !relative(folder, source).split('/').includes('node_modules'),
    });
  }
  process.stdout.write(`${folders.size} packages beside flowgate and its client, none of them Nest.\n`);
  for (const script of ['engine-workflow.mjs', 'client-workflow.mjs', 'client-workflow.cjs']) {
    copyFileSync(join('tools', 'checks', script), join(root, script));
    execFileSync(process.execPath, [script], { cwd: root, stdio: 'inherit', timeout: 30_000 });
  }
  commandLine(root);
} catch (error) {
  process.stderr.write(`flowgate/engine does not run without Nest: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
