// `npm run release:rehearse`, after `npm run build` and `node tools/checks/pack.mjs`: all of a release but the publishing. No account is
// needed, and nothing leaves this machine. What it makes is in .tmp/release.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sectionOf } from './changes.mjs';
import { licenceFaults } from './licences.mjs';

const TARBALLS = resolve('.tmp', 'package');
const TARGET = resolve('.tmp', 'release');
const WITHIN_MS = 120_000;
const PACKAGES = {
  flowgate: ['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES', 'dist/index.js', 'dist/cli/flowgate.js'],
  'flowgate-client': ['LICENSE', 'NOTICE', 'README.md', 'dist/esm/index.d.ts'],
};

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
mkdirSync(TARGET, { recursive: true });

step('the versions', () => {
  const client = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8'));
  const java = /<artifactId>flowgate-client<\/artifactId>\s*<version>([^<]+)</.exec(
    readFileSync('clients/java/pom.xml', 'utf8'),
  )?.[1];
  assert.deepEqual(
    { client: client.version, java },
    { client: version, java: version },
    'all packages have one version',
  );
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  assert.ok(sectionOf(changelog, version) !== null, `CHANGELOG.md has no section [${version}]`);
});

step('the packages', () => {
  for (const [name, files] of Object.entries(PACKAGES)) {
    const tarball = join(TARBALLS, `${name}.tgz`);
    const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8', timeout: WITHIN_MS });
    const names = listed
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, ''));
    for (const file of files) assert.ok(names.includes(file), `${name} has no ${file}`);
    const ofSources = names.filter((path) =>
      /(^|\/)(src|test|node_modules)\/|\.env|\.tsbuildinfo$/.test(path),
    );
    assert.deepEqual(ofSources, [], `${name} holds what is not for its users`);
    npm(['publish', '--dry-run', '--ignore-scripts', '--access', 'public', tarball]);
  }
});

step('the bills of materials', () => {
  for (const [name, workspace] of [
    ['flowgate', '@flowgate/tools-service'],
    ['flowgate-client', 'flowgate-client'],
  ]) {
    const text = npm([
      'sbom',
      '--sbom-format',
      'cyclonedx',
      '--sbom-type',
      'library',
      '--omit',
      'dev',
      '--workspace',
      workspace,
    ]);
    const bill = JSON.parse(text);
    assert.equal(bill.bomFormat, 'CycloneDX');
    for (const { name: part, version: its } of bill.components)
      assert.ok(part && its, `a part of ${name} has no name or version`);
    writeFileSync(join(TARGET, `${name}-${version}.cdx.json`), text);
  }
});

step('the licences', () => assert.deepEqual(licenceFaults(), [], 'what is shipped may be shipped'));

function step(what, check) {
  const begun = performance.now();
  try {
    check();
  } catch (error) {
    process.stderr.write(`${what}: ${error.message}\n`);
    process.exit(1);
  }
  process.stdout.write(`${what}: ${Math.round((performance.now() - begun) / 1_000)} s\n`);
}

function npm(args, cwd = '.') {
  return execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    timeout: WITHIN_MS,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
