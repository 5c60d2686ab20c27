import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const MODULES = 'node_modules/';

/** What comes with an installation, or stands in the image: every locked package that is not for development alone. */
export function installedPackages() {
  return packagesWhere(([, { dev, link }]) => dev !== true && link !== true);
}

/** What the console's files contain: its own packages with theirs, and the reader of YAML that it shares with the client. */
export function bundledPackages() {
  const { devDependencies } = JSON.parse(readFileSync('console/package.json', 'utf8'));
  const wanted = ['yaml', ...Object.keys(devDependencies)];
  const found = new Set();
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const locked = packages[`${MODULES}${name}`];
    if (locked === undefined) throw new Error(`package-lock.json has no ${name}: run \`npm install\`.`);
    if (locked.link === true || found.has(name)) continue;
    found.add(name);
    wanted.push(...Object.keys(locked.dependencies ?? {}));
  }
  return packagesWhere(([path]) => found.has(path.slice(MODULES.length)));
}

/** The text of a package's licence, as it brings it; null: it brings none. */
export function licenceTextOf({ path }) {
  const file = existsSync(path)
    ? readdirSync(path).find((name) => /^(licen[cs]e|copying)/i.test(name))
    : undefined;
  return file === undefined ? null : readFileSync(join(path, file), 'utf8').trim();
}

function packagesWhere(isWanted) {
  return Object.entries(packages)
    .filter((entry) => entry[0].includes(MODULES) && isWanted(entry))
    .map(([path, { version, license = null }]) => ({
      path,
      name: path.slice(path.lastIndexOf(MODULES) + MODULES.length),
      version,
      licence: license,
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
