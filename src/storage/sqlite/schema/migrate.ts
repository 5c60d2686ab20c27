import { StoreError } from '../../../errors/service-errors.js';
import { numberOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import { runLog } from './0001-run-log.js';
import { namespacesAndDueTimes } from './0002-namespaces-and-due-times.js';
import { childRuns } from './0003-child-runs.js';
import { lists } from './0004-lists.js';
import { rootRuns } from './0005-root-runs.js';
import { childrenByAge } from './0006-children-by-age.js';
import { compensation } from './0007-compensation.js';
import { access } from './0008-access.js';
import { audit } from './0009-audit.js';
import type { Migration } from './migration.js';

const MIGRATIONS: readonly Migration[] = [
  runLog,
  namespacesAndDueTimes,
  childRuns,
  lists,
  rootRuns,
  childrenByAge,
  compensation,
  access,
  audit,
];

const SCHEMA_VERSION = MIGRATIONS.length;

/** Brings the schema to the newest version, each step in a transaction of its own. Refuses a newer schema. */
export function migrate(connection: Connection): void {
  const version = numberOf(connection.statement('PRAGMA user_version').get() ?? {}, 'user_version');
  if (version > SCHEMA_VERSION) {
    throw new StoreError(
      `The data folder was written by a newer version (schema ${version}; this one knows ${SCHEMA_VERSION}): ` +
        'start that version, or restore the backup from before the upgrade',
    );
  }
  for (const migration of MIGRATIONS) {
    if (migration.version <= version) continue;
    connection.transaction(() => {
      connection.execute(migration.sql);
      connection.execute(`PRAGMA user_version = ${migration.version}`);
    });
  }
}
