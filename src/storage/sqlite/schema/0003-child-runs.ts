import type { Migration } from './migration.js';

/** Which run a child belongs to, and which appends concern families. Existing rows cost nothing: none is a child. */
export const childRuns: Migration = {
  version: 3,
  sql: `
    ALTER TABLE runs ADD COLUMN parent_run_id TEXT;
    -- Those that a parent may still have to end; empty where no run has children.
    CREATE INDEX runs_of_parent ON runs (parent_run_id, run_id)
      WHERE parent_run_id IS NOT NULL AND ended_at IS NULL;

    -- Appends that a parent or children have to hear of, until they have: short at any time.
    CREATE TABLE family_log (
      position INTEGER PRIMARY KEY,
      run_id   TEXT NOT NULL
    );
    CREATE INDEX family_log_of_run ON family_log (run_id);
  `,
};
