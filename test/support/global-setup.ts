import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { transformFileSync } from '@swc/core';
import { buildSync } from 'esbuild';

/** Where `test/support/built-worker.ts` expects the JavaScript; the tree below it is that of `src`. */
const OUTPUT = '.tmp/sqlite-worker';

/** Tests start processes that open this store, and threads of their own that serve as its threads do. */
const STORE = 'storage/sqlite';

/** Where threads begin. */
const THREADS = [
  'storage/sqlite/writer/writer-worker.ts',
  'storage/sqlite/reader/reader-worker.ts',
  'storage/sqlite/memory/memory-worker.ts',
  'engine/definitions/thread/document-worker.ts',
  'engine/runtime/transfer/replay/follow-worker.ts',
];

/** Packages in CommonJS ask for those of Node by `require`, which a module does not have. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Jest cannot start a worker thread from a TypeScript file whose imports end in `.js`: what threads need is compiled before. */
export default function globalSetup(
  { rootDir }: { readonly rootDir: string },
  { globals }: { readonly globals: { readonly startsProcesses?: boolean } },
): void {
  // On a fresh clone they are not there yet; all that is tested and built below imports them.
  execFileSync(process.execPath, ['tools/schema/run.mjs'], {
    cwd: rootDir,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (globals.startsProcesses === true) buildPackage(rootDir);
  buildConsole(rootDir);
  buildGuide(rootDir);
  const source = join(rootDir, 'src');
  compileStore(source, join(rootDir, OUTPUT));
  bundleThreads(source, join(rootDir, OUTPUT));
}

/** What the service serves at `/console/`, where nobody has built it yet. It imports the client by its name. */
function buildConsole(rootDir: string): void {
  if (existsSync(join(rootDir, 'dist/console/index.html'))) return;
  for (const command of [['clients/typescript/build.mjs', '--js'], ['console/build.mjs']])
    execFileSync(process.execPath, command, { cwd: rootDir, stdio: 'pipe' });
}

/** What the service serves at `/docs/guide/`, likewise. */
function buildGuide(rootDir: string): void {
  if (existsSync(join(rootDir, 'dist/docs-guide/index.html'))) return;
  execFileSync(process.execPath, ['site/build.mjs'], {
    cwd: rootDir,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** The store and whatever it imports, file by file. */
function compileStore(source: string, output: string): void {
  const queue = [...filesIn(join(source, STORE))];
  const seen = new Set([...queue, ...THREADS.map((thread) => join(source, thread))]);
  for (const file of queue) {
    if (THREADS.includes(relative(source, file))) continue;
    const { code } = transformFileSync(file, {
      jsc: { target: 'es2023', parser: { syntax: 'typescript' }, keepClassNames: true },
      module: { type: 'es6' },
      configFile: false,
      swcrc: false,
    });
    write(join(output, file.slice(source.length).replace(/\.ts$/, '.js')), code);
    for (const [, path] of code.matchAll(/from\s+['"](\.[^'"]+)\.js['"]/g)) {
      const imported = resolve(dirname(file), `${path}.ts`);
      if (seen.has(imported)) continue;
      seen.add(imported);
      queue.push(imported);
    }
  }
}

/** Each thread as one file: tests start thousands, and half of the time of a start would be the search for 300 modules. */
function bundleThreads(source: string, output: string): void {
  const { outputFiles } = buildSync({
    entryPoints: THREADS.map((thread) => join(source, thread)),
    outbase: source,
    outdir: output,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    keepNames: true,
    banner: { js: REQUIRE },
    write: false,
  });
  for (const { path, text } of outputFiles) write(path, text);
}

/**
 * The package as it would be published, for all tests of this run that start processes (`tested-package.ts`). Types are checked
 * elsewhere, and declarations are not made.
 */
function buildPackage(rootDir: string): void {
  const folder = join(rootDir, '.tmp', `tested-package-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.env['FLOWGATE_TESTED_PACKAGE'] = folder;
  for (const part of ['package.json', 'schemas'])
    cpSync(join(rootDir, part), join(folder, part), { recursive: true });
  const quick = ['--noCheck', '--sourceMap', 'false', '--declaration', 'false'];
  for (const command of [
    // The command line imports the client by its name, which is its own build.
    ['clients/typescript/build.mjs', '--js'],
    [
      'node_modules/typescript/bin/tsc',
      '-p',
      'tsconfig.build.json',
      '--outDir',
      join(folder, 'dist'),
      ...quick,
    ],
    ['tools/build/bundle.mjs', join(folder, 'dist')],
  ]) {
    execFileSync(process.execPath, command, { cwd: rootDir, stdio: 'pipe' });
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file));
}

/** Several test runs may do this at once: a file is either the old or the new one. */
function write(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}
