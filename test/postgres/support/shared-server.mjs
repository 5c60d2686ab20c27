// The server of all test files; `global-setup.mjs` starts it, and tests find it by what stands in the environment.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../../tools/postgres/server.mjs';

/**
 * Tests open several engines, of eight connections each, and look on by connections of their own. What is vacuumed by itself has a
 * transaction id meanwhile, for which followers wait: what was appended a moment ago would now and then not be read yet.
 */
const SETTINGS = { max_connections: '300', autovacuum: 'off' };

/**
 * Where Linux has room for it in memory, the data is there: it goes with the server, and a commit takes a tenth of what it takes on a
 * disk that others use, too. Containers may have 64 MB there.
 */
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 1024 ** 3;

let server = null;
let folder = null;

export async function startSharedServer() {
  folder = hasMemory() ? mkdtempSync(join(IN_MEMORY, 'flowgate-postgres-')) : null;
  server = await startPostgres({ settings: SETTINGS, ...(folder === null ? {} : { folder }) });
  const { port, superuser, programs, version } = server;
  process.env['FLOWGATE_TEST_SERVER'] = JSON.stringify({ port, superuser, programs, version });
}

export async function stopSharedServer() {
  await server?.stop();
  server = null;
  if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  folder = null;
}

function hasMemory() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
