// npm run test:browser: the tests of test/browser, with a Chromium that is there or gets installed, and the console and the guide as they are built.
import { execFileSync, spawnSync } from 'node:child_process';
import { chromium } from './chromium.mjs';

const FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const JEST = ['node_modules/jest/bin/jest.js', '--config', 'jest.browser.config.js'];

const BUILDS = [
  ['tools/schema/run.mjs'],
  ['clients/typescript/build.mjs', '--js'],
  ['console/build.mjs'],
  ['site/build.mjs'],
];

try {
  for (const step of BUILDS) execFileSync(process.execPath, step, { stdio: ['ignore', 'ignore', 'inherit'] });
  const env = { ...process.env, CHROMIUM_PATH: chromium() };
  const { status } = spawnSync(process.execPath, [...FLAGS, ...JEST, ...process.argv.slice(2)], {
    env,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
