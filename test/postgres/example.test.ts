import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { builtMain } from '../crash/support/built-service.js';
import { newSchema } from './support/database.js';
import { onConnection, sharedUrl } from './support/server.js';

const run = promisify(execFile);
const SCRIPT = 'examples/14-replicas/replicas.mjs';

it('the example with three replicas, of which one is killed, checks its own result', async () => {
  builtMain();
  const schema = newSchema();
  const env = { ...process.env, FLOWGATE_DATABASE_URL: sharedUrl(), FLOWGATE_DATABASE_SCHEMA: schema };
  try {
    const { stdout } = await run(process.execPath, [SCRIPT], { env });
    expect(stdout).toMatch(/^three replicas behind http:\/\/127\.0\.0\.1:\d+$/m);
    expect(stdout).toMatch(/^killed \S+, which had \d+ of the runs in flight$/m);
    expect(stdout).toMatch(/^the others took them up: all 30 runs completed, no step counted twice$/m);
  } finally {
    await onConnection(({ query }) => query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`));
  }
}, 120_000);
