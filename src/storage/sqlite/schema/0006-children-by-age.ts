import type { Migration } from './migration.js';

/** The children of a run in the order of lists, also those that are over. A run without a parent costs nothing. */
export const childrenByAge: Migration = {
  version: 6,
  sql: `
    CREATE INDEX runs_of_parent_by_age ON runs (parent_run_id, created_at, run_id) WHERE parent_run_id IS NOT NULL;
  `,
};
