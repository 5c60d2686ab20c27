import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
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
export default function globalSetup({ rootDir }: { readonly rootDir: string }): void {
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
