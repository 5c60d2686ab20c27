// npm run test:postgres: the tests of test/postgres, two files at once, and then those that need both processors.
import { spawnSync } from 'node:child_process';

const FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const JEST = ['node_modules/jest/bin/jest.js', '--passWithNoTests', '--config'];

for (const config of ['jest.postgres.config.js', 'jest.postgres-under-load.config.js']) {
  const { status } = spawnSync(process.execPath, [...FLAGS, ...JEST, config, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode ||= status ?? 1;
}
