// npm run docs: makes the guide of README.md and docs/ in dist/docs-guide, or in the folder that is named; decision 0131 says how.
// It writes nothing, and fails, where a link is dead, a picture is foreign or all of it is too large. `--pages-alone` says that there
// are no other files of the repository, as in the build of the image: then links to those are not looked at.
import { existsSync, globSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, matchesGlob, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { guideOf } from './build/guide.mjs';
import { repositoryPagesOf } from './build/repository.mjs';
import { scriptsOf } from './build/scripts.mjs';
import { LEFT_OUT, NAVIGATION, PAGES } from './navigation.mjs';

const MOST_BYTES = 3_000_000;
/** What a build writes, and the next one takes away. */
const BUILT = /\.(?:html|js|css|json|svg|png|webp)(?:\.gz)?$/;
/** These are small already. */
const PACKED = /\.(?:png|webp)$/;

const root = resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  options: { 'pages-alone': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const target = resolve(positionals[0] ?? join(root, 'dist/docs-guide'));
const begun = performance.now();

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const paths = globSync(PAGES, { cwd: root })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => !LEFT_OUT.some((glob) => matchesGlob(path, glob)))
  .sort();
const scripts = await scriptsOf(join(root, 'site/src'));
const guide = guideOf({
  pages: new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])),
  pictureOf: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path)) : null),
  isThere: (path) => values['pages-alone'] || existsSync(join(root, path)),
  repository: repositoryPagesOf(manifest),
  navigation: NAVIGATION,
  scripts: scripts.names,
  version: manifest.version,
});

const written = [...guide.files, ...scripts.files].flatMap(({ name, bytes }) => {
  const file = { name, bytes };
  // Brotli would take seconds to save a page one kilobyte, and the room of another copy.
  return PACKED.test(name) ? [file] : [file, { name: `${name}.gz`, bytes: gzipSync(bytes, { level: 9 }) }];
});
const size = written.reduce((sum, { bytes }) => sum + bytes.length, 0);
const faults = [...guide.faults];
if (size > MOST_BYTES) faults.push(`all of it has ${size} bytes, and ${MOST_BYTES} are the most`);

if (faults.length > 0) {
  process.stderr.write(`The guide is not as it may be, and was not written:\n  ${faults.join('\n  ')}\n`);
  process.exitCode = 1;
} else {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(target)) if (BUILT.test(name)) rmSync(join(target, name));
  for (const { name, bytes } of written) writeFileSync(join(target, name), bytes);
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  process.stdout.write(`The guide: ${paths.length} pages, ${(size / 1e6).toFixed(2)} MB, in ${seconds} s.\n`);
}
