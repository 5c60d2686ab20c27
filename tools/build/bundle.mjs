// Puts the compiled modules of dist/, or of the folder that is named, together: hundreds of small files take Node longer to find
// and link than to run. What is imported only when it is needed stays in files of its own, and packages stay where they are.
// Decision 0107 says why.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parse } from 'acorn';
import { build } from 'esbuild';
import { ENTRIES } from './entries.mjs';

const DIST = resolve(process.argv[2] ?? 'dist');
const SHARED = 'chunks';
const OF_TESTS = 'testing/index.js';

const { outputFiles, metafile } = await build({
  absWorkingDir: DIST,
  // The image is built without what tests need.
  entryPoints: ENTRIES.filter((entry) => entry !== OF_TESTS || existsSync(join(DIST, entry))),
  outdir: DIST,
  outbase: DIST,
  chunkNames: `${SHARED}/[name]-[hash]`,
  bundle: true,
  splitting: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  packages: 'external',
  sourcemap: true,
  sourcesContent: false,
  // The addresses below are read as they are.
  charset: 'utf8',
  // Its `paths` lead to the sources of packages.
  tsconfigRaw: {},
  metafile: true,
  legalComments: 'none',
  plugins: [{ name: 'addresses and names', setup: keepAddressesAndNames }],
});

const foreign = Object.keys(metafile.inputs).filter((path) => path.startsWith('..'));
if (foreign.length > 0) throw new Error(`These are no part of the build: ${foreign.join(', ')}`);
for (const file of compiledFiles()) rmSync(file);
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, withAddresses(text, path));
}
removeEmptyFolders(DIST);

function keepAddressesAndNames({ onLoad }) {
  onLoad({ filter: /\.js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    return { contents: withNamedClasses(withMarks(text, path)), loader: 'js' };
  });
}

/** A module that looks for a file beside itself is elsewhere now: the mark says where it was. */
function withMarks(text, path) {
  return text.replaceAll('import.meta.url', `MODULE_AT(${JSON.stringify(path)})`);
}

/**
 * Of two classes of one name the bundler calls one otherwise; Nest and errors tell them by their names. Its own `keepNames` names
 * each closure, too, whenever one is made: a fifth of what a run costs in memory.
 */
function withNamedClasses(text) {
  if (!/\bclass\b/.test(text)) return text;
  let [named, rest] = ['', 0];
  const classes = classesIn(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }));
  for (const { name, bodyAt } of classes.toSorted((one, other) => one.bodyAt - other.bodyAt)) {
    const naming = ` static { Object.defineProperty(this, 'name', { value: '${name}', configurable: true }); }`;
    named += text.slice(rest, bodyAt) + naming;
    rest = bodyAt;
  }
  return named + text.slice(rest);
}

/** The classes with a name, and where the body of each begins. */
function classesIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.values(node).flatMap(classesIn);
  if (!/^Class(Declaration|Expression)$/.test(node.type) || !node.id) return inside;
  return [{ name: node.id.name, bodyAt: node.body.start + 1 }, ...inside];
}

/** The address of each such module, from the file that it is in. */
function withAddresses(text, path) {
  return text.replaceAll(/MODULE_AT\(("[^"]+")\)/g, (_, module) => {
    const from = relative(dirname(path), JSON.parse(module)).split(sep).join('/');
    return `new URL(${JSON.stringify(from)}, import.meta.url).href`;
  });
}

function compiledFiles() {
  return readdirSync(DIST, { recursive: true })
    .filter((name) => /\.js(\.map)?$/.test(name) && !/^docs-(?:guide|page)\b/.test(name))
    .map((name) => join(DIST, name));
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
