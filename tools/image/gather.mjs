// Gathers into a folder what the image holds: of this package and of those in clients/ that it depends on what they
// publish, and the packages in node_modules, without what only editors and people read. Build and prune first.
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

/** Types, source maps and prose; licences stay with what they are for. */
const NOT_RUN = /\.(d\.[cm]?ts|[cm]?ts|tsx|map|md|markdown|flow|tsbuildinfo)$/i;
const LICENCE = /^(licen[cs]es?|notice|copying)\b/i;
const CLIENTS = 'clients';

const target = resolve(process.argv[2] ?? '');
if (process.argv[2] === undefined || existsSync(join(target, 'package.json'))) {
  process.stderr.write('Name a folder that holds nothing yet: node tools/image/gather.mjs <folder>\n');
  process.exit(1);
}

const isRun = (file) => !NOT_RUN.test(file) || LICENCE.test(basename(file));

function take(path) {
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build\` first`);
  mkdirSync(dirname(join(target, path)), { recursive: true });
  cpSync(path, join(target, path), { recursive: true, verbatimSymlinks: true, filter: isTaken });
}

/** A link leads to a package of this repository: it is taken when the package is. */
function isTaken(source) {
  const found = lstatSync(source);
  if (found.isSymbolicLink()) {
    const leadsTo = relative('.', resolve(dirname(source), readlinkSync(source)));
    return leadsTo.startsWith('node_modules/') ? isRun(leadsTo) : packages.includes(leadsTo);
  }
  return found.isDirectory() || isRun(source);
}

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const { dependencies } = manifestOf('.');
const packages = existsSync(CLIENTS)
  ? readdirSync(CLIENTS)
      .map((name) => join(CLIENTS, name))
      .filter((folder) => existsSync(join(folder, 'package.json')))
      .filter((folder) => Object.hasOwn(dependencies, manifestOf(folder).name))
  : [];

for (const folder of ['.', ...packages]) {
  // What a manifest excludes it excludes from the package: the image has the guide. Patterns name pages and their pictures.
  const files = (manifestOf(folder).files ?? []).filter(
    (name) => !name.startsWith('!') && !name.includes('*'),
  );
  for (const name of ['package.json', 'LICENSE', 'node_modules', ...files]) {
    const path = join(folder, name);
    // A build must be there; prose need not.
    if (existsSync(path) || (files.includes(name) && isRun(name))) take(path);
  }
}
