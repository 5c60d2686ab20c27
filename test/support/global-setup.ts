import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { transformFileSync } from '@swc/core';

/** Where `test/support/built-worker.ts` expects the JavaScript; the tree below it is that of `src`. */
const OUTPUT = '.tmp/sqlite-worker';

/** What the language reads next to its code; as near to the output as to `src`. */
const SCHEMA = 'schemas/workflow.v1.schema.json';

/** Where threads begin: what these import is found by itself. */
const ROOTS = ['storage/sqlite', 'engine/definitions/thread', 'engine/runtime/transfer/replay'];

/**
 * Jest cannot start a worker thread from a TypeScript file whose imports end in `.js`. So what the workers need is
 * compiled before the tests, in well under a second: their folders and whatever they import.
 */
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
  const source = join(rootDir, 'src');
  const queue = ROOTS.flatMap((root) => filesIn(join(source, root)));
  write(join(rootDir, dirname(OUTPUT), SCHEMA), readFileSync(join(rootDir, SCHEMA), 'utf8'));
  const seen = new Set(queue);
  for (const file of queue) {
    const { code } = transformFileSync(file, {
      jsc: { target: 'es2023', parser: { syntax: 'typescript' }, keepClassNames: true },
      module: { type: 'es6' },
      configFile: false,
      swcrc: false,
    });
    write(join(rootDir, OUTPUT, file.slice(source.length).replace(/\.ts$/, '.js')), code);
    for (const [, path] of code.matchAll(/from\s+['"](\.[^'"]+)\.js['"]/g)) {
      const imported = resolve(dirname(file), `${path}.ts`);
      if (seen.has(imported)) continue;
      seen.add(imported);
      queue.push(imported);
    }
  }
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
