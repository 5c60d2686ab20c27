import { execFileSync } from 'node:child_process';
import { startSharedServer } from './shared-server.mjs';

/** On a fresh clone the generated sources are not there yet; all that is tested imports them. */
export default async function globalSetup({ rootDir }) {
  execFileSync(process.execPath, ['tools/schema/run.mjs'], {
    cwd: rootDir,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await startSharedServer();
}
