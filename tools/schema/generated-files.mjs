// The sources that are made from the published schemas. They are not committed: each begins with a hash of all that it was made
// from, and is made anew where that has changed. What makes them is only loaded then.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { resolve } = createRequire(import.meta.url);

const GENERATED = [
  {
    path: 'src/engine/language/reader/precompiled-schema.ts',
    schema: 'schemas/workflow.v1.schema.json',
    maker: './precompile.mjs',
    load: () => import('./precompile.mjs'),
    // Their versions: another one may make other code of the same schema.
    packages: ['ajv', 'esbuild'],
  },
  {
    path: 'clients/typescript/src/calls/request-bounds.ts',
    schema: 'schemas/openapi.json',
    maker: './request-bounds.mjs',
    load: () => import('./request-bounds.mjs'),
    packages: [],
  },
];

/** Makes those that are not up to date in the repository at `root`; their paths. */
export async function makeGeneratedFiles(root) {
  const made = [];
  for (const { path, schema, maker, load, packages } of GENERATED) {
    const text = readFileSync(join(root, schema), 'utf8');
    const makers = [
      new URL(maker, import.meta.url),
      ...packages.map((name) => resolve(`${name}/package.json`)),
    ];
    const hash = hashOf([text, ...makers.map((file) => readFileSync(file, 'utf8'))]);
    const heading = `// Made from ${schema} by \`npm run schema\`: change that, not this file. ${hash}\n`;
    const target = join(root, path);
    if (beginsWith(target, heading)) continue;
    const { make } = await load();
    write(target, heading + (await make(JSON.parse(text))));
    made.push(path);
  }
  return made;
}

function hashOf(texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}\n${text}`);
  return hash.digest('hex').slice(0, 16);
}

function beginsWith(file, heading) {
  try {
    return readFileSync(file, 'utf8').startsWith(heading);
  } catch {
    return false;
  }
}

/** Several commands may do this at once: a file is either the old or the new one. */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}
