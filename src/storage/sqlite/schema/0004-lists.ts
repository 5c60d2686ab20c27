import type { Migration } from './migration.js';

/**
 * What lists find runs by: labels, gates, and what is rare among runs. Every index that an unlabelled run of a client enters
 * costs each of its appends, so no such index is added; the new ones are partial. Of existing runs it is not known what they
 * spent, whether they were cancelled, and which of their gates were decided.
 */
export const lists: Migration = {
  version: 4,
  sql: `
    ALTER TABLE runs ADD COLUMN origin TEXT NOT NULL DEFAULT 'client';
    ALTER TABLE runs ADD COLUMN forked_from TEXT;
    ALTER TABLE runs ADD COLUMN is_cancelled INTEGER NOT NULL DEFAULT 0;
    -- What it spent; tokens is null where that was not kept. REAL: what units report may be more than an integer holds.
    ALTER TABLE runs ADD COLUMN tokens REAL;
    ALTER TABLE runs ADD COLUMN cost REAL;
    ALTER TABLE runs ADD COLUMN active_ms INTEGER;
    ALTER TABLE runs ADD COLUMN active_since INTEGER;
    UPDATE runs SET origin = 'child' WHERE parent_run_id IS NOT NULL;

    CREATE INDEX runs_with_gates ON runs (namespace, created_at, run_id, gates) WHERE gates > 0;
    CREATE INDEX runs_cancelled ON runs (namespace, is_cancelled, created_at, run_id) WHERE is_cancelled = 1;
    CREATE INDEX runs_of_origin ON runs (namespace, origin, created_at, run_id) WHERE origin <> 'client';
    -- Also whether a run has forks, which keep it.
    CREATE INDEX runs_forked ON runs (forked_from, created_at, run_id) WHERE forked_from IS NOT NULL;

    -- namespace and created_at are the run's.
    ALTER TABLE run_labels ADD COLUMN namespace TEXT NOT NULL DEFAULT 'default';
    ALTER TABLE run_labels ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
    UPDATE run_labels SET (namespace, created_at) =
      (SELECT namespace, created_at FROM runs WHERE runs.run_id = run_labels.run_id)
      WHERE run_id IN (SELECT run_id FROM runs);
    CREATE INDEX runs_with_label ON run_labels (namespace, name, value, created_at, run_id);

    -- namespace, workflow_id and created_at are the run's.
    ALTER TABLE open_gates ADD COLUMN namespace TEXT NOT NULL DEFAULT 'default';
    ALTER TABLE open_gates ADD COLUMN workflow_id TEXT NOT NULL DEFAULT '';
    ALTER TABLE open_gates ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
    UPDATE open_gates SET (namespace, workflow_id, created_at) =
      (SELECT namespace, workflow_id, created_at FROM runs WHERE runs.run_id = open_gates.run_id)
      WHERE run_id IN (SELECT run_id FROM runs);
    CREATE INDEX open_gates_by_age ON open_gates (namespace, opened_at, run_id, gate_id);
    CREATE INDEX open_gates_of_workflow ON open_gates (namespace, workflow_id, opened_at, run_id, gate_id);
    CREATE INDEX open_gates_of_unit ON open_gates (namespace, unit_id, created_at, run_id);

    -- The newest decision at each gate. No text of an author or of a run: this is not encrypted.
    CREATE TABLE decided_gates (
      run_id      TEXT NOT NULL,
      gate_id     INTEGER NOT NULL,
      unit_id     TEXT NOT NULL,
      opened_at   INTEGER NOT NULL,
      decided_at  INTEGER NOT NULL,
      decided_seq INTEGER NOT NULL,
      namespace   TEXT NOT NULL,
      workflow_id TEXT NOT NULL,
      PRIMARY KEY (run_id, gate_id)
    ) WITHOUT ROWID;
    CREATE INDEX decided_gates_by_age ON decided_gates (namespace, decided_at, run_id, gate_id);
    CREATE INDEX decided_gates_of_workflow ON decided_gates (namespace, workflow_id, decided_at, run_id, gate_id);

    CREATE INDEX definitions_of_workflow ON definitions (namespace, workflow_id, registered_at, hash);
  `,
};
