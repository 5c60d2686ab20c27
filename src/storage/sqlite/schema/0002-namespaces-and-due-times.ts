import type { Migration } from './migration.js';

/**
 * Namespaces, due times, labels, open gates, registrations and tombstones. It rewrites no row: a column with a default costs
 * old rows nothing, and `log`, by far the largest table, stays as it is. Shards need no column: see `SHARD_BYTE`.
 */
export const namespacesAndDueTimes: Migration = {
  version: 2,
  sql: `
    ALTER TABLE runs ADD COLUMN namespace TEXT NOT NULL DEFAULT 'default';
    -- How many rows of open_gates the run has: an append that ends a run without any need not look.
    ALTER TABLE runs ADD COLUMN gates INTEGER NOT NULL DEFAULT 0;

    DROP INDEX runs_by_age;
    DROP INDEX runs_of_workflow;
    DROP INDEX runs_not_completed;
    CREATE INDEX runs_by_age ON runs (namespace, created_at, run_id);
    CREATE INDEX runs_of_workflow ON runs (namespace, workflow_id, created_at, run_id);
    CREATE INDEX runs_not_completed ON runs (namespace, status, created_at, run_id) WHERE status <> 'completed';

    -- What must be called again after a death, and what moves by itself later: two questions now.
    DROP INDEX runs_unfinished;
    CREATE INDEX runs_unfinished ON runs (run_id) WHERE ended_at IS NULL AND open_executions > 0;
    CREATE INDEX runs_due ON runs (wake_at, run_id) WHERE ended_at IS NULL AND wake_at IS NOT NULL;

    CREATE TABLE run_labels (
      run_id TEXT NOT NULL,
      name   TEXT NOT NULL,
      value  TEXT NOT NULL,
      PRIMARY KEY (run_id, name)
    ) WITHOUT ROWID;

    -- No text of an author or of a run: this is not encrypted.
    CREATE TABLE open_gates (
      run_id    TEXT NOT NULL,
      gate_id   INTEGER NOT NULL,
      unit_id   TEXT NOT NULL,
      opened_at INTEGER NOT NULL,
      PRIMARY KEY (run_id, gate_id)
    ) WITHOUT ROWID;

    -- Runs of version 1 whose open gates nobody entered yet.
    CREATE TABLE unindexed_runs (run_id TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT INTO unindexed_runs SELECT run_id FROM runs WHERE ended_at IS NULL;

    CREATE TABLE definitions_by_namespace (
      namespace     TEXT NOT NULL,
      hash          TEXT NOT NULL,
      workflow_id   TEXT NOT NULL,
      yaml          TEXT NOT NULL,
      bindings      TEXT NOT NULL,
      plan          TEXT,
      registered_at INTEGER NOT NULL,
      PRIMARY KEY (namespace, hash)
    );
    INSERT INTO definitions_by_namespace
      SELECT 'default', hash, workflow_id, yaml, bindings, NULL, registered_at FROM definitions;
    DROP TABLE definitions;
    ALTER TABLE definitions_by_namespace RENAME TO definitions;

    -- place: the order of first registrations; place_in_opening: the same among those of the opening.
    CREATE TABLE registrations (
      namespace        TEXT NOT NULL,
      workflow_id      TEXT NOT NULL,
      hash             TEXT NOT NULL,
      registered_at    INTEGER NOT NULL,
      opening          TEXT NOT NULL,
      place            INTEGER NOT NULL,
      place_in_opening INTEGER NOT NULL,
      PRIMARY KEY (namespace, workflow_id)
    ) WITHOUT ROWID;
    CREATE INDEX registrations_by_place ON registrations (place_in_opening);

    -- A tombstone has its place in log, as a row without events whose last_seq is 0, and here what it says.
    CREATE TABLE tombstones (
      position    INTEGER PRIMARY KEY,
      namespace   TEXT NOT NULL,
      workflow_id TEXT NOT NULL
    );
  `,
};
