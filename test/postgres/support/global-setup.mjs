import { execFileSync } from 'node:child_process';
import { startSharedServers } from './shared-servers.mjs';

/** On a fresh clone the generated sources are not there yet; all that is tested imports them. */
export default async function globalSetup({ rootDir, maxWorkers }) {
  execFileSync(process.execPath, ['tools/schema/run.mjs'], {
    cwd: rootDir,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await startSharedServers(maxWorkers);
}
