// `npm run compatibility`, after `npm run build`: compares what is public with the last version, and fails where the changelog says
// nothing of a difference (docs/compatibility.md). `-- --release <version>` keeps what is public now as that of a version.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesBetween, sectionOf, untold } from './changes.mjs';
import { AREAS } from './public-lines.mjs';

const VERSIONS = join('tools', 'release', 'public');
/** So many lines of an area are shown. */
const SHOWN = 40;

const [flag, named] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

if (flag === '--release') keep(named ?? version);
else if (flag === undefined) compare(lastVersion());
else fail('Usage: npm run compatibility [-- --release <version>]');

function keep(release) {
  if (!/^\d+\.\d+\.\d+$/.test(release)) fail(`${release} is no version: give one such as 0.2.0.`);
  mkdirSync(join(VERSIONS, release), { recursive: true });
  for (const [area, lines] of Object.entries(AREAS))
    writeFileSync(fileOf(release, area), `${lines().join('\n')}\n`);
  process.stdout.write(`What is public is kept as that of ${release}, in ${join(VERSIONS, release)}.\n`);
}

function compare(last) {
  const unreleased = sectionOf(readFileSync('CHANGELOG.md', 'utf8'), 'Unreleased');
  if (unreleased === null)
    fail('CHANGELOG.md has no section [Unreleased]: add one above the newest version.');
  let silent = 0;
  for (const [area, lines] of Object.entries(AREAS)) {
    const before = readFileSync(fileOf(last, area), 'utf8').trimEnd().split('\n');
    const { removed, added } = changesBetween(before, lines());
    const missing = [
      ...untold(removed, unreleased).map((line) => `- ${line}`),
      ...untold(added, unreleased).map((line) => `+ ${line}`),
    ];
    process.stdout.write(`${area}: ${removed.length} lines less and ${added.length} more than ${last}.\n`);
    for (const line of missing.slice(0, SHOWN)) process.stdout.write(`  ${line}\n`);
    if (missing.length > SHOWN) process.stdout.write(`  and ${missing.length - SHOWN} more\n`);
    silent += missing.length;
  }
  if (silent > 0) {
    fail(
      `CHANGELOG.md says nothing of these under [Unreleased]: name what changed there, or take the change back (docs/compatibility.md).`,
    );
  }
}

function lastVersion() {
  const parts = (name) => name.split('.').map(Number);
  const byAge = (one, other) => {
    const [left, right] = [parts(one), parts(other)];
    const at = left.findIndex((part, index) => part !== right[index]);
    return at === -1 ? 0 : left[at] - right[at];
  };
  const last = readdirSync(VERSIONS).sort(byAge).at(-1);
  return last ?? fail('No version is kept: run `npm run compatibility -- --release <version>`.');
}

function fileOf(release, area) {
  return join(VERSIONS, release, `${area}.txt`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
