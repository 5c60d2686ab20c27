import type { Migration } from './migration.js';

/** Runs, their logs and what belongs to them. Instants are epoch ms. */
export const runLog: Migration = {
  version: 1,
  sql: `
    CREATE TABLE runs (
      run_id          TEXT PRIMARY KEY,
      workflow_id     TEXT NOT NULL,
      definition_hash TEXT NOT NULL,
      status          TEXT NOT NULL,
      created_at      INTEGER NOT NULL,
      updated_at      INTEGER NOT NULL,
      ended_at        INTEGER,
      open_executions INTEGER NOT NULL,
      wake_at         INTEGER,
      last_seq        INTEGER NOT NULL
    ) WITHOUT ROWID;

    -- Lists, newest first. Nearly all runs are completed, so the status index leaves those out.
    CREATE INDEX runs_by_age ON runs (created_at, run_id);
    CREATE INDEX runs_of_workflow ON runs (workflow_id, created_at, run_id);
    CREATE INDEX runs_not_completed ON runs (status, created_at, run_id) WHERE status <> 'completed';

    -- Recovery and the sweep of what is due; empty when nothing moves.
    CREATE INDEX runs_unfinished ON runs (run_id)
      WHERE ended_at IS NULL AND (open_executions > 0 OR wake_at IS NOT NULL);
    CREATE INDEX runs_ended ON runs (ended_at, run_id) WHERE ended_at IS NOT NULL;

    -- One row for each append, so that a run costs what it outputs. AUTOINCREMENT: a position is never used twice.
    CREATE TABLE log (
      position  INTEGER PRIMARY KEY AUTOINCREMENT,
      run_id    TEXT NOT NULL,
      first_seq INTEGER NOT NULL,
      last_seq  INTEGER NOT NULL,
      at        INTEGER NOT NULL,
      events    TEXT NOT NULL
    );
    CREATE UNIQUE INDEX log_of_run ON log (run_id, last_seq);

    CREATE TABLE states (
      run_id        TEXT NOT NULL,
      seq           INTEGER NOT NULL,
      state_version INTEGER NOT NULL,
      state         TEXT NOT NULL,
      PRIMARY KEY (run_id, seq)
    );

    CREATE TABLE idempotency (
      scope       TEXT NOT NULL,
      key         TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      run_id      TEXT NOT NULL,
      PRIMARY KEY (scope, key)
    ) WITHOUT ROWID;
    CREATE INDEX idempotency_of_run ON idempotency (run_id);

    CREATE TABLE definitions (
      hash          TEXT PRIMARY KEY,
      workflow_id   TEXT NOT NULL,
      yaml          TEXT NOT NULL,
      bindings      TEXT NOT NULL,
      registered_at INTEGER NOT NULL
    );

    CREATE TABLE cursors (
      name     TEXT PRIMARY KEY,
      position INTEGER NOT NULL
    ) WITHOUT ROWID;
  `,
};
