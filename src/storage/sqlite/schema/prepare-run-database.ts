import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../../errors/service-errors.js';
import { numberOf } from '../connection/columns.js';
import { Connection } from '../connection/connection.js';
import { migrate } from './migrate.js';

/** Marks our files in SQLite's header: "flow". */
const APPLICATION_ID = 0x666c6f77;

/**
 * Makes or migrates `runs.db`. Call it only while the owner's lock is held and no thread has the file open.
 * It looks at the header and the schema, not at every page, so that opening takes the same time for any number of runs.
 */
export function prepareRunDatabase(runsFile: string): void {
  if (!existsSync(runsFile)) return createRunDatabase(runsFile);
  if (statSync(runsFile).size === 0) {
    throw new StoreError(
      'runs.db in the data folder is empty: restore the folder from a backup, or delete the file',
    );
  }
  const connection = new Connection(runsFile, 'write');
  try {
    refuseForeignFile(connection);
    migrate(connection);
    connection.statement('SELECT 1 FROM runs LIMIT 1').get();
  } finally {
    connection.close();
  }
}

/** The file has another name until it is complete: an existing `runs.db` is always whole, so that an empty one is a loss. */
function createRunDatabase(runsFile: string): void {
  if (existsSync(`${runsFile}-wal`)) {
    throw new StoreError(
      'runs.db is missing in the data folder, but its log runs.db-wal is there: restore the folder from a backup, ' +
        'or delete the log to begin empty',
    );
  }
  const newFile = `${runsFile}.new`;
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(newFile + suffix, { force: true });
  const connection = new Connection(newFile, 'write');
  try {
    connection.execute(`PRAGMA application_id = ${APPLICATION_ID}`);
    migrate(connection);
  } finally {
    connection.close();
  }
  // SQLite gives its log the same rights. Never through an open file: see the owner's lock.
  chmodSync(newFile, 0o600);
  renameSync(newFile, runsFile);
  makeRenameDurable(dirname(runsFile));
}

function makeRenameDurable(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function refuseForeignFile(connection: Connection): void {
  const id = numberOf(connection.statement('PRAGMA application_id').get() ?? {}, 'application_id');
  if (id === APPLICATION_ID) return;
  throw new StoreError(
    'runs.db in the data folder belongs to another program: give the service a folder of its own',
  );
}
