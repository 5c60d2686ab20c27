// The servers of the test files, one for each worker of Jest: `global-setup.mjs` starts them, and tests find theirs by what stands in the
// environment. Followers wait for each transaction of a server, also of other databases: beside another file on the same server what
// was appended a moment ago would not be read yet.
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

const started = [];

export async function startSharedServers(workers) {
  for (let count = 0; count < workers; count += 1) started.push(await startOne());
  const facts = started.map(({ server: { port, superuser, programs, version } }) => {
    return { port, superuser, programs, version };
  });
  process.env['FLOWGATE_TEST_SERVERS'] = JSON.stringify(facts);
}

async function startOne() {
  const folder = hasMemory() ? mkdtempSync(join(IN_MEMORY, 'flowgate-postgres-')) : null;
  const server = await startPostgres({ settings: SETTINGS, ...(folder === null ? {} : { folder }) });
  return { server, folder };
}

export async function stopSharedServers() {
  for (const { server, folder } of started.splice(0)) {
    await server.stop();
    if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

function hasMemory() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
