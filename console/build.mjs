// Builds the console into dist/console of the repository, or into the folder that is named: files that are named by their content,
// each also compressed, and the page and boot.js, whose names stay. Run by `npm run build`, after the client that it imports.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { foreignImports } from './build/allowed-imports.mjs';
import { bootImports } from './build/boot-imports.mjs';
import { compressed } from './build/compressed.mjs';
import { pageWith } from './build/page.mjs';
import { firstModules, tooLarge } from './build/size-limits.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const dist = resolve(process.argv[2] ?? join(here, '../dist/console'));

/** What this wrote before: the modules and types of the service's sources lie in the same folder, until they are put together. */
const BUILT = /^(?:index\.html|boot\.js|.+-[A-Z0-9]{8}\.(?:js|css))(?:\.br|\.gz)?$/;

const shared = {
  absWorkingDir: here,
  bundle: true,
  write: false,
  minify: true,
  target: ['chrome123', 'firefox120', 'safari17.5'],
  outdir: dist,
  legalComments: 'none',
  metafile: true,
  charset: 'utf8',
};

// Workers first: the scripts name their files.
const workers = await build({
  ...shared,
  entryPoints: workerSources(),
  entryNames: '[name]-[hash]',
  format: 'esm',
  tsconfigRaw: {},
});
const workerNames = Object.fromEntries(
  workers.outputFiles.map(({ path }) => [basename(path).replace(/-[A-Z0-9]+\.js$/, ''), basename(path)]),
);

const scripts = await build({
  ...shared,
  entryPoints: { boot: 'src/boot.ts' },
  format: 'esm',
  splitting: true,
  // A text, since an object becomes a file of its own, which every script imports.
  define: { WORKER_FILES: JSON.stringify(JSON.stringify(workerNames)) },
  chunkNames: '[name]-[hash]',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  tsconfigRaw: {},
});
const styles = await build({
  ...shared,
  entryPoints: { style: 'src/ui/styles/console.css' },
  entryNames: '[name]-[hash]',
});

const files = [...workers.outputFiles, ...scripts.outputFiles, ...styles.outputFiles].map(
  ({ path, contents }) => ({
    name: basename(path),
    bytes: Buffer.from(contents),
  }),
);
const style = files.find(({ name }) => name.endsWith('.css')).name;
const page = pageWith({
  style,
  modules: firstModules(scripts.metafile.outputs, (path) => basename(path)),
  template: readFileSync(join(here, 'src/page.html'), 'utf8'),
});
files.push({ name: 'index.html', bytes: Buffer.from(page) });

mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist)) if (BUILT.test(name)) rmSync(join(dist, name));
const written = files.map((file) => ({ ...file, ...compressed(file.bytes) }));
for (const { name, bytes, br, gz } of written) {
  writeFileSync(join(dist, name), bytes);
  writeFileSync(join(dist, `${name}.br`), br);
  writeFileSync(join(dist, `${name}.gz`), gz);
}

const faults = [
  ...foreignImports([workers, scripts]),
  ...bootImports(scripts.metafile.outputs, (path) => basename(path)),
  ...tooLarge(written, scripts.metafile.outputs, (path) => basename(path)),
];
if (faults.length > 0) {
  process.stderr.write(`The console is not as it may be:\n  ${faults.join('\n  ')}\n`);
  process.exitCode = 1;
}

/** Every `*-worker.ts` is started by its name. */
function workerSources() {
  return readdirSync(join(here, 'src'), { recursive: true })
    .filter((name) => name.endsWith('-worker.ts'))
    .map((name) => join('src', name));
}
