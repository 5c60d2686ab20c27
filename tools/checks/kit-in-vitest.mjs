// The first test of docs/testing.md, run by Vitest as the page says, in a folder of its own over the packed packages.
// After `node tools/checks/pack.mjs`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const VITEST = '4.1.12';
const WITHIN_MS = 180_000;

const page = readFileSync('docs/testing.md', 'utf8');
const [, tests] = /```js\n([^]*?)```/.exec(page) ?? [];
const [, globals] = /`(import \{[^`]+\} from 'vitest')`/.exec(page) ?? [];
assert.ok(
  tests !== undefined && globals !== undefined,
  'docs/testing.md has no test, or no import for Vitest',
);

const tarballs = ['flowgate', 'flowgate-client'].map((name) => resolve('.tmp', 'package', `${name}.tgz`));
const folder = mkdtempSync(join(tmpdir(), 'flowgate-vitest-'));
try {
  writeFileSync(join(folder, 'package.json'), '{ "name": "kit", "private": true, "type": "module" }');
  writeFileSync(join(folder, 'order.test.js'), `${globals};\n${tests}`);
  execFileSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel=error', `vitest@${VITEST}`, ...tarballs],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: WITHIN_MS },
  );
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const said = execFileSync(process.execPath, [vitest, 'run', '--reporter=json'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: WITHIN_MS,
  });
  const { numPassedTests, numTotalTests } = JSON.parse(said);
  assert.deepEqual([numPassedTests, numTotalTests], [2, 2]);
  process.stdout.write(`Vitest ${VITEST} ran the test of docs/testing.md.\n`);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
