import type { Migration } from './migration.js';

/**
 * Which run a child's family began with, so that those that are not over are counted however deep they lie. Runs that are no
 * children cost nothing; of existing ones, only children that are not over are looked at, and their parents.
 */
export const rootRuns: Migration = {
  version: 5,
  sql: `
    ALTER TABLE runs ADD COLUMN root_run_id TEXT;

    -- At most 16 runs lie above one another; a limit, should a file say otherwise.
    WITH RECURSIVE climbing (run_id, above, steps) AS (
      SELECT run_id, parent_run_id, 1 FROM runs
        WHERE parent_run_id IS NOT NULL AND ended_at IS NULL AND origin = 'child'
      UNION ALL
      SELECT climbing.run_id, parent.parent_run_id, steps + 1
        FROM climbing JOIN runs AS parent ON parent.run_id = climbing.above
        WHERE parent.parent_run_id IS NOT NULL AND parent.origin = 'child' AND steps < 64
    )
    UPDATE runs SET root_run_id = climbing.above FROM climbing
      WHERE runs.run_id = climbing.run_id AND NOT EXISTS (
        SELECT 1 FROM runs AS parent
        WHERE parent.run_id = climbing.above AND parent.parent_run_id IS NOT NULL AND parent.origin = 'child'
      );

    -- ended_at, though it is null: with it they are counted without looking at the rows.
    CREATE INDEX runs_of_root ON runs (root_run_id, ended_at) WHERE root_run_id IS NOT NULL AND ended_at IS NULL;
  `,
};
