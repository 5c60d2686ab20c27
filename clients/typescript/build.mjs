// Builds the package into dist: one file for Node, one for browsers and one, `remote`, for whoever only calls services, each as
// ESM and as CommonJS, the types for all, and the published schema. `--js` leaves the types out, for whoever runs the client and does not compile against it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const repository = resolve(here, '../..');
const dist = join(here, 'dist');
const SCHEMA = 'schemas/workflow.v1.schema.json';

/**
 * `name.ts` is what Node gets; `name.browser.ts` stands for it where there is no such thing as in Node, `name.remote.ts` where
 * the client only calls services.
 */
const VARIANTS = { node: [], browser: ['browser'], remote: ['remote', 'browser'] };
const instead = (variants) => ({
  name: 'variants',
  setup({ onResolve }) {
    onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir }) => {
      const others = variants.map((variant) => resolve(resolveDir, path.replace(/\.js$/, `.${variant}.ts`)));
      const other = others.find((file) => existsSync(file));
      return other === undefined ? undefined : { path: other };
    });
  },
});

async function scripts(format, runtime) {
  const { outputFiles } = await build({
    entryPoints: [join(here, 'src/index.ts')],
    bundle: true,
    write: false,
    format,
    // Not `node`: then `yaml` would come as CommonJS, whole.
    platform: 'neutral',
    target: 'es2022',
    external: ['node:*', 'flowgate/engine'],
    plugins: [instead(VARIANTS[runtime])],
    // `import()` must stay one in CommonJS: `flowgate` is ESM alone.
    supported: { 'dynamic-import': true },
    // Where somebody downloads it. In Node the lines of a stack should say something.
    minify: runtime !== 'node',
    keepNames: runtime !== 'node',
    legalComments: 'none',
    logLevel: 'warning',
    tsconfigRaw: {},
  });
  write(join(dist, format, `${runtime}.js`), outputFiles[0].text);
}

/** The declarations that the public ones need, and no other; none of them may lead out of the client. */
function types() {
  const out = join(repository, '.tmp/client-types');
  rmSync(out, { recursive: true, force: true });
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.build.json')], { stdio: 'inherit' });
  const root = join(out, relative(repository, here), 'src');
  const files = [join(root, 'index.d.ts')];
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    // Not `'import'`, which is a text.
    for (const [, name] of text.matchAll(/(?<!['"])\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (!name.startsWith('.'))
        throw new Error(`${file} names the package ${name}, which its readers may not have.`);
      const imported = resolve(dirname(file), name.replace(/\.js$/, '.d.ts'));
      if (!imported.startsWith(root)) throw new Error(`${file} leads out of the client: ${name}`);
      if (!files.includes(imported)) files.push(imported);
    }
    for (const format of ['esm', 'cjs']) write(join(dist, format, relative(root, file)), text);
  }
}

/** Whoever reads meanwhile finds the old file or the new one. */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}

const isForRunning = process.argv.includes('--js');
if (!isForRunning) rmSync(dist, { recursive: true, force: true });
for (const format of ['esm', 'cjs']) {
  for (const runtime of Object.keys(VARIANTS)) await scripts(format, runtime);
}
write(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
write(join(here, SCHEMA), readFileSync(join(repository, SCHEMA)));
if (!isForRunning) types();
