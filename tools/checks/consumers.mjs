// Installs the packed packages into fresh projects, as their users do: an ES module and a CommonJS project each, whose
// types are resolved as `nodenext` and as a `bundler` resolves them; compiles them, bundles them, runs what came out.
// The folder lies outside the repository, because packages are looked for in every folder above.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { otherNode } from './other-node.mjs';

/** The oldest line that the client supports; the package flowgate needs more. */
const NODE_20 = '20.20.2';
const INSTALL_WITHIN_MS = 180_000;
const RUN_WITHIN_MS = 30_000;

const tarballs = resolve('.tmp', 'package');
const compiler = resolve('node_modules', 'typescript', 'bin', 'tsc');

const STRICT = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
};

/** How a project may resolve its packages. What a bundler resolves, a bundler makes into something that runs. */
const RESOLUTIONS = {
  nodenext: { module: 'NodeNext', moduleResolution: 'NodeNext' },
  bundler: { module: 'ESNext', moduleResolution: 'Bundler', noEmit: true },
};

function install(folder, packages, fromRegistry = []) {
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) writeJson(manifest, { name: 'consumer', version: '1.0.0', private: true });
  const files = packages.map((name) => join(tarballs, `${name}.tgz`));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...files, ...fromRegistry], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_WITHIN_MS,
  });
}

/** Compiles and bundles `source` in both kinds of project; answers the files that can be run. */
function build(folder, source, options = {}) {
  const programs = [];
  for (const type of ['module', 'commonjs']) {
    const project = join(folder, type);
    mkdirSync(project, { recursive: true });
    writeJson(join(project, 'package.json'), { type });
    copyFileSync(resolve('tools', 'checks', 'consumers', source), join(project, 'main.ts'));
    for (const [name, resolution] of Object.entries(RESOLUTIONS)) {
      writeJson(join(project, `tsconfig.${name}.json`), {
        compilerOptions: { ...STRICT, ...options, ...resolution, outDir: name },
        files: ['main.ts'],
      });
      execFileSync(process.execPath, [compiler, '-p', `tsconfig.${name}.json`], {
        cwd: project,
        stdio: 'inherit',
      });
    }
    const bundle = join(project, 'bundle', 'main.js');
    buildSync({
      entryPoints: [join(project, 'main.ts')],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: type === 'module' ? 'esm' : 'cjs',
      external: ['flowgate', 'flowgate/*'],
      absWorkingDir: project,
      logLevel: 'warning',
    });
    programs.push(join(project, 'nodenext', 'main.js'), bundle);
  }
  return programs;
}

function run(node, program, env = {}) {
  execFileSync(node, [program], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: 'inherit',
    timeout: RUN_WITHIN_MS,
  });
}

const commandIn = (folder) => join(folder, 'node_modules', '.bin', 'flowgate');

/** npm installs the peers that a library needs; the one that only the service needs has to be asked for. */
function refusesToServe(folder) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [commandIn(folder), 'serve'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: RUN_WITHIN_MS,
  });
  assert.equal(status, 1, `\`flowgate serve\` ended with ${status}: ${stdout}${stderr}`);
  assert.match(stderr, /^The service needs @nestjs\/platform-express, .*: run `npm install [^`]+`.*\n$/);
}

/** The command that the package brings, serving; and what ends it. */
async function serve(folder) {
  const command = commandIn(folder);
  const env = { ...process.env, HOST: '127.0.0.1', PORT: '0', FLOWGATE_STORE: 'memory' };
  const child = spawn(process.execPath, [command, 'serve'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /listens on (http:[^\s"]+)/.exec(line)?.[1];
      if (address !== undefined) return { address, stop: () => child.kill() };
    }
    assert.fail('`flowgate serve` ended before it listened.');
  } catch (error) {
    child.kill();
    throw error;
  }
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

for (const name of ['flowgate', 'flowgate-client']) {
  assert.ok(
    existsSync(join(tarballs, `${name}.tgz`)),
    'run `npm run build && node tools/checks/pack.mjs` first.',
  );
}
const root = mkdtempSync(join(tmpdir(), 'flowgate-consumers-'));
try {
  const [alone, both] = [join(root, 'alone'), join(root, 'both')];
  install(alone, ['flowgate-client']);
  install(both, ['flowgate', 'flowgate-client']);
  refusesToServe(both);
  const { dependencies } = JSON.parse(readFileSync(resolve('tools', 'service', 'package.json'), 'utf8'));
  const express = '@nestjs/platform-express';
  install(both, ['flowgate', 'flowgate-client'], [`${express}@${dependencies[express]}`]);
  process.stdout.write('flowgate serve says which package it needs.\n');

  const service = await serve(both);
  try {
    const oldest = otherNode(NODE_20);
    for (const program of build(alone, 'client-alone.ts')) {
      for (const node of [process.execPath, oldest]) run(node, program, { FLOWGATE_URL: service.address });
    }
  } finally {
    service.stop();
  }
  process.stdout.write(
    `flowgate-client alone: ES module, CommonJS, bundled, on this Node and on ${NODE_20}.\n`,
  );

  // Nest's own declarations are not ours to check.
  for (const program of build(both, 'both.ts', { skipLibCheck: true })) run(process.execPath, program);
  process.stdout.write('flowgate-client and flowgate together: ES module, CommonJS, bundled.\n');
} finally {
  rmSync(root, { recursive: true, force: true });
}
