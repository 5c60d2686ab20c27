import { chmodSync, rmSync } from 'node:fs';
import { numberOf } from '../connection/columns.js';
import { Connection } from '../connection/connection.js';
import { faultOf, isDamaged } from '../connection/sqlite-fault.js';
import { allTables } from './namespace-words.js';

/** A memory of another version is built again, except for the one before. */
const MEMORY_VERSION = 4;
/** One of this version lacks the workflows, and is given them (see `fill-workflows.ts`). */
const WITHOUT_WORKFLOWS = 3;

const INDEXES_OF_WORKFLOWS = `
  CREATE INDEX entries_of_workflow ON entries (namespace, workflow_id);
  CREATE INDEX entries_without_workflow ON entries (entry) WHERE workflow_id IS NULL;
`;

const SCHEMA = `
  CREATE TABLE entries (
    entry     INTEGER PRIMARY KEY AUTOINCREMENT,
    id        TEXT NOT NULL UNIQUE,
    run_id    TEXT,
    namespace INTEGER NOT NULL,
    number    INTEGER NOT NULL,
    body      TEXT NOT NULL,
    -- Null: it is not known yet. Empty: none that can be shown.
    workflow_id TEXT
  );
  CREATE INDEX entries_of_run ON entries (run_id) WHERE run_id IS NOT NULL;
  CREATE UNIQUE INDEX entries_of_namespace ON entries (namespace, number);

  -- Each has a table of words (see namespace-words.ts).
  CREATE TABLE namespaces (
    number    INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL UNIQUE,
    newest    INTEGER NOT NULL
  );

  ${INDEXES_OF_WORKFLOWS}
  PRAGMA user_version = ${MEMORY_VERSION};
`;

const ADD_WORKFLOWS = `
  ALTER TABLE entries ADD COLUMN workflow_id TEXT;
  ${INDEXES_OF_WORKFLOWS}
  PRAGMA user_version = ${MEMORY_VERSION};
`;

export interface OpenMemory {
  readonly connection: Connection;
  /** Whether the file was missing, damaged or of another version, and is empty now. */
  readonly isNew: boolean;
}

export function openMemory(file: string): OpenMemory {
  const existing = openExisting(file);
  const memory = existing === null ? createAnew(file) : { connection: existing, isNew: false };
  // Nobody waits for this thread's commits, so they may bring the log in themselves.
  memory.connection.execute('PRAGMA wal_autocheckpoint = 1000');
  return memory;
}

function createAnew(file: string): OpenMemory {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  const connection = new Connection(file, 'write');
  try {
    chmodSync(file, 0o600);
    connection.transaction(() => connection.execute(SCHEMA));
    return { connection, isNew: true };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Null when there is nothing usable. A file that cannot be read for another reason (its rights) is an error. */
function openExisting(file: string): Connection | null {
  let connection: Connection | null = null;
  try {
    connection = new Connection(file, 'write');
    const version = numberOf(connection.statement('PRAGMA user_version').get() ?? {}, 'user_version');
    if (version === WITHOUT_WORKFLOWS) withWorkflows(connection);
    if (version === MEMORY_VERSION || version === WITHOUT_WORKFLOWS) {
      connection.statement('SELECT max(entry) FROM entries').get();
      for (const table of allTables(connection))
        connection.statement(`SELECT rowid FROM ${table} WHERE ${table} MATCH '"a"' LIMIT 1`).get();
      return connection;
    }
  } catch (error) {
    if (!isDamaged(faultOf(error))) {
      connection?.close();
      throw error;
    }
  }
  connection?.close();
  return null;
}

function withWorkflows(connection: Connection): void {
  connection.transaction(() => connection.execute(ADD_WORKFLOWS));
}
